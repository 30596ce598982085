import { webhookActions, webhookPage } from '#lib/server/webhooks.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  return webhookPage('itemWebhooks', event)
}

export const actions = webhookActions('itemWebhooks') satisfies Actions
