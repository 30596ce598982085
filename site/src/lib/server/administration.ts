// Access to the administration pages, and lookups for them.
import { error, type RequestEvent, redirect } from '@sveltejs/kit'
import { moderates } from '#lib/roles.ts'
import { signInPath } from './answers.ts'
import { boardsOf } from './boards.ts'

type Event = Pick<RequestEvent, 'locals' | 'url'>

/** For moderators and admins; anonymous users sign in first. */
export async function moderating({ locals, url }: Event) {
  const user = await locals.user()
  if (!user) redirect(303, signInPath(url))
  if (user.role !== 'admin' && user.role !== 'moderator') error(403, locals.t('admin.onlyModerators'))
  if (user.passkeyNeeded) redirect(303, '/settings/security?role#passkeys')
  return user
}

/** For moderators and admins, and for those who moderate a board: they decide the cases of what is in it. */
export async function judging(event: Event) {
  const user = await event.locals.user()
  const isOfBoards = user && !moderates(user) && (await boardsOf(event.locals)).some(({ can }) => can.moderate)
  return isOfBoards ? user : moderating(event)
}

/** For admins alone. */
export async function administering(event: Event) {
  const user = await moderating(event)
  if (user.role !== 'admin') error(403, event.locals.t('admin.onlyAdmins'))
  return user
}

/** The id for a typed username, email address or id. */
export async function idOf(api: App.Locals['api'], typed: string): Promise<string> {
  const wanted = typed.trim().replace(/^@/, '')
  if (wanted === '' || wanted.length > 200 || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(wanted)) return wanted.slice(0, 200)
  const { users } = await api.admin.listUsers({ q: wanted, per_page: 100 })
  const same = (name: string | null) => name?.toLowerCase() === wanted.toLowerCase()
  return users.find(({ username, email }) => same(username) || same(email))?.id ?? wanted
}
