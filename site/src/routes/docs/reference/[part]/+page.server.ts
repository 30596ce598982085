import { error } from '@sveltejs/kit'
import { aboutPart, partOf, wayOf, ways } from '#lib/server/reference.ts'
import type { PageServerLoad } from './$types'

/** Keeps the language of code that a reader chose, for a year. */
const COOKIE = 'code'
const YEAR_SECONDS = 365 * 24 * 60 * 60

export const load: PageServerLoad = ({ url, cookies, locals: { t, server }, params: { part } }) => {
  const chosen = url.searchParams.get('code')
  const way = wayOf(chosen ?? cookies.get(COOKIE) ?? null)
  const operations = partOf(part, { baseUrl: url.origin, way, t, off: server.off })
  if (!operations) error(404, t('docs.reference.noPart'))
  if (chosen === way.name) {
    const options = { path: '/docs', secure: url.protocol === 'https:', sameSite: 'lax', httpOnly: true } as const
    cookies.set(COOKIE, way.name, { ...options, maxAge: YEAR_SECONDS })
  }
  return {
    part,
    about: aboutPart(part),
    operations,
    way: way.name,
    ways: ways.map(({ name }) => name),
  }
}
