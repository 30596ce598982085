// Ends mails by the link in them (RFC 8058): a mail program posts to this address without a session, and a person gets a button first.
import { action, stay } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

/** Of a digest that goes to no account. */
const isOfGuest = (url: URL) => url.searchParams.get('token')?.startsWith('guest.') ?? false

export const load: PageServerLoad = ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
  isOfGuest: isOfGuest(url),
})

export const actions = {
  default: action(
    async (_, { locals, url }) => {
      const token = url.searchParams.get('token') ?? ''
      await (isOfGuest(url) ? locals.api.guestDigest : locals.api.notifications).unsubscribe({ token })
    },
    stay,
    { of: () => 'unsubscribe' },
  ),
} satisfies Actions
