import { administering } from '#lib/server/administration.ts'
import { boardsOf } from '#lib/server/boards.ts'
import { webhookActions, webhookPage } from '#lib/server/webhooks.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const [page, boards] = await Promise.all([webhookPage('webhooks', event), boardsOf(event.locals)])
  return { ...page, boards: boards.map(({ id, slug, name }) => ({ id, slug, name })) }
}

export const actions = webhookActions('webhooks') satisfies Actions
