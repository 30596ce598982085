// A notice of the moderators to its reader, who may appeal once.
import { action, field, found, stay } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  return { notice: await found(event.locals.api.moderation.notice({ id: event.params.id })) }
}

export const actions = {
  appeal: action(
    (form, { locals, params }: RequestEvent) =>
      locals.api.moderation.appeal({ id: params.id, text: field(form, 'text') }),
    stay,
    { written: true },
  ),
} satisfies Actions
