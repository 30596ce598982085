import { redirect } from '@sveltejs/kit'
import { draftPath } from '#lib/draft-path.ts'
import { moderates } from '#lib/roles.ts'
import { found } from '#lib/server/answers.ts'
import { boardsOf } from '#lib/server/boards.ts'
import { draftsAt } from '#lib/server/drafts.ts'
import { pictureAddress } from '#lib/server/looks.ts'
import { takeSaying } from '#lib/server/saying.ts'
import { textIn } from '../../../src/config/site-texts.ts'
import type { LayoutServerLoad } from './$types'

/** The looks of the server, in the language of the reader. */
function shownLooks({ server: { looks }, t }: App.Locals) {
  const { site, navigation, footerLinks, isPoweredBy } = looks
  const named = (links: typeof footerLinks) =>
    links.map(({ label, url }) => ({ label: textIn(label, t.language), url }))
  return {
    site,
    logo: pictureAddress(looks, 'logo'),
    logoDark: pictureAddress(looks, 'logo-dark'),
    navigation: { ...navigation, links: named(navigation.links ?? []) },
    footer: named(footerLinks),
    isPoweredBy,
  }
}

/** What a member can open whose account is being deleted. */
const LEAVING = ['/settings/data', '/sign-out', '/sign-in', '/docs', '/privacy', '/terms', '/oauth', '/email-undo']

export const load: LayoutServerLoad = async ({ locals, cookies, url }) => {
  const user = await locals.user()
  if (user?.deletionAt && !LEAVING.some((path) => url.pathname.startsWith(path))) redirect(303, '/settings/data')
  const { isPrivate, reads } = locals.server
  const isHere = user && user.deletionAt === null && reads
  return {
    user,
    /** What was just done. */
    saying: takeSaying({ cookies }),
    /** Then nothing of a page is for other sites. */
    isPrivate,
    guestDigest: locals.server.guestDigest && !user,
    /** Cases that wait for a moderator. */
    waiting: isHere && moderates(user) ? (await found(locals.api.moderation.cases({ per_page: 1 }))).waiting : 0,
    unread: isHere ? (await found(locals.api.notifications.count())).unread : 0,
    drafts: isHere ? await draftsAt(locals, draftPath(url.pathname)) : undefined,
    boards: reads ? (await boardsOf(locals)).map(({ name, url: href }) => ({ href, label: name })) : [],
    partsOff: locals.server.off.given,
    theme: cookies.get('theme') ?? 'system',
    language: locals.t.language,
    looks: shownLooks(locals),
  }
}
