// How a member is notified, what they follow by itself, and the browsers to which is pushed.

import { redirect } from '@sveltejs/kit'
import { channels } from '#lib/features/account/channels.ts'
import { inSession } from '#lib/server/account.ts'
import { action, choiceIn, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import { notificationKinds } from '../../../../../src/contract/kinds.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const SWITCHES = ['followWritten', 'followAnswered', 'followVoted', 'pushMentions', 'pushApprovals'] as const

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { notifications, push } = event.locals.api
  const [settings, pushed] = await Promise.all([found(notifications.settings()), found(push.list({}))])
  return { settings, push: pushed, added: event.url.searchParams.has('pushed') }
}

export const actions = {
  save: action(
    (form, { locals }) =>
      locals.api.notifications.updateSettings({
        ...Object.fromEntries(notificationKinds.map((kind) => [kind, choiceIn(form, kind, channels)])),
        ...Object.fromEntries(SWITCHES.map((name) => [name, field(form, name) === 'yes'])),
      }),
    () => ({ done: 'save' }),
  ),
  removeBrowser: action(
    (form, { locals }: RequestEvent) => inSession(locals.api.push.unsubscribe({ id: field(form, 'id') })),
    (_, __, { url }: RequestEvent) => redirect(303, `${url.pathname}#push`),
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
} satisfies Actions
