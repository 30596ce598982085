// How a member is notified, and what they follow by itself.

import { channels } from '#lib/features/account/channels.ts'
import { action, choiceIn, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import { notificationKinds } from '../../../../../src/contract/kinds.ts'
import type { Actions, PageServerLoad } from './$types'

const FOLLOWING = ['followWritten', 'followAnswered', 'followVoted'] as const

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  return { settings: await found(event.locals.api.notifications.settings()) }
}

export const actions = {
  save: action(
    (form, { locals }) =>
      locals.api.notifications.updateSettings({
        ...Object.fromEntries(notificationKinds.map((kind) => [kind, choiceIn(form, kind, channels)])),
        ...Object.fromEntries(FOLLOWING.map((name) => [name, field(form, name) === 'yes'])),
      }),
    () => ({ done: 'save' }),
  ),
} satisfies Actions
