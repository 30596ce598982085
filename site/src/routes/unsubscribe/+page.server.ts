// Ends mails by the link in them (RFC 8058): a mail program posts to this address without a session, and a person gets a button first.
import { action, stay } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url }) => ({ token: url.searchParams.get('token') ?? '' })

export const actions = {
  default: action(
    (_, { locals, url }) => locals.api.notifications.unsubscribe({ token: url.searchParams.get('token') ?? '' }),
    stay,
    { of: () => 'unsubscribe' },
  ),
} satisfies Actions
