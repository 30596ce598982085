import { found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  return { webhooks: (await found(event.locals.api.itemWebhooks.list({}))).items }
}
