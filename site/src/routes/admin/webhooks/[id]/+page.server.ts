import { administering } from '#lib/server/administration.ts'
import { webhookActions, webhookPage } from '#lib/server/webhooks.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  return webhookPage('webhooks', event)
}

export const actions = webhookActions('webhooks') satisfies Actions
