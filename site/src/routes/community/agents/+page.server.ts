import { error } from '@sveltejs/kit'
import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const clientId = url.searchParams.get('clientId')
  if (!clientId) error(404, locals.t('community.agent.none'))
  const before = url.searchParams.get('before') || undefined
  const { items, ...page } = await found(locals.api.agents.get({ clientId, before }))
  return { ...page, items: rendered(items.map((item) => ({ ...item, preview: glimpse(item.preview) }))) }
}
