import { error } from '@sveltejs/kit'
import { aboutPart, partOf, wayOf, ways } from '#lib/server/reference.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url, locals: { t, server }, params: { part } }) => {
  const way = wayOf(url.searchParams.get('code'))
  const operations = partOf(part, { baseUrl: url.origin, way, t, off: server.off })
  if (!operations) error(404, t('docs.reference.noPart'))
  return {
    part,
    about: aboutPart(part),
    operations,
    way: way.name,
    ways: ways.map(({ name }) => name),
  }
}
