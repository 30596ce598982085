// What the first page shows: to members what is new, what waits for them, what trends and what is theirs; to visitors what there is.
import type { Cookies } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { shown } from '#lib/features/library/item-lists.ts'
import { rendered } from '#lib/rendered.ts'
import type { Account } from '../../../../src/accounts/sign-in/contract.ts'
import { found } from './answers.ts'
import { glimpse } from './lists.ts'
import { unlessOff } from './parts.ts'
import { drawChart } from './rendering.ts'

type Locals = App.Locals
type Api = Locals['api']

const TRENDING = 8
const RECENT = 20
const NEW_SHOWN = 6
const PEOPLE = 12
const OWN = 4
const UNREAD = 30
const UNREAD_SHOWN = 5
/** A chart of fewer or more roles does not tell at one look what an org is. */
const ROLES = [3, 10] as const

/** Entries of the feed as rows. */
const rows = <One extends { preview: string }>(items: readonly One[]) =>
  rendered(items.map((one) => ({ ...one, preview: glimpse(one.preview) })))

/** Who wrote most recently, each once. */
const peopleIn = (items: readonly { authorUsername: string | null }[]) =>
  [...new Set(items.flatMap(({ authorUsername }) => authorUsername ?? []))].slice(0, PEOPLE)

/** The page of a visitor without an account. */
export async function visitorHome(locals: Locals) {
  const { api, server } = locals
  const [{ items: trending }, { items: recent }, shown] = await Promise.all([
    found(api.feed.trending({ per_page: TRENDING })),
    found(api.feed.list({ type: 'all', per_page: RECENT })),
    server.forEverybody('visitors-first', (anonymous) => shownFirst(locals, anonymous)),
  ])
  return { trending: rows(trending), people: peopleIn(recent), ...shown }
}

/** An org, an item and numbers: the product at one look. */
async function shownFirst(locals: Locals, api: Api) {
  const [numbers, org, items] = await Promise.all([
    found(api.members.statistics({})),
    unlessOff(locals, 'orgs.list', () => orgToShow(locals, api)),
    itemsOf(locals, () => api.library.list({ sort: 'popular', kind: 'workflow', per_page: 1 }), 'workflow'),
  ])
  return { numbers, org, item: items[0] && itemToShow(items[0]) }
}

/** Some items of the library; none where it, or this kind of them, is turned off. */
async function itemsOf(
  locals: Locals,
  read: () => Promise<{ items: Answer<'library.list'>['items'] }>,
  kind: 'workflow' | '' = '',
) {
  if (locals.server.off.kinds.has(kind)) return []
  return (await unlessOff(locals, 'library.list', () => found(read())))?.items ?? []
}

function itemToShow(item: Parameters<typeof shown>[0]) {
  const { id, kind, slug, name, description, version, owner, ...rest } = shown(item)
  return {
    id,
    kind,
    slug,
    name,
    description: glimpse(description),
    version,
    owner,
    score: rest.score,
    visibility: rest.visibility,
    gallery: rest.gallery,
  }
}

/** The most voted org whose chart has a good size, with its chart. */
async function orgToShow(locals: Locals, api: Api) {
  const { items } = await found(api.orgs.list({ sort: 'popular', per_page: RECENT }))
  const [least, most] = ROLES
  const chosen = items.find(({ roleCount }) => roleCount >= least && roleCount <= most) ?? items[0]
  if (!chosen) return undefined
  const { name, url, tagline, goal, roleCount, roles, communication } = await found(api.orgs.get({ id: chosen.id }))
  const chart = await drawChart(locals, { roles, communication, roleCount })
  return { name, url, about: tagline ?? glimpse(goal), chart }
}

/** Kinds of notifications that wait for the member; others are of what they follow. */
const TO_ME: ReadonlySet<string> = new Set(['mention', 'reply', 'invitation', 'approval', 'notice', 'report'])

/** Whether a notification is of something that has to be decided, which is shown by itself. */
const isPending = ({ type, invitation }: Answer<'notifications.list'>['items'][number]) =>
  type === 'approval' || invitation?.state === 'open'

/** The page of a member. */
export async function memberHome(locals: Locals, user: Account, since: string | undefined) {
  const { api } = locals
  const [inbox, news, trending, latest, own, items] = await Promise.all([
    found(api.notifications.list({ unread: 'true', per_page: UNREAD })),
    found(api.news.list({ per_page: 1 })),
    found(api.feed.trending({ per_page: TRENDING })),
    found(api.feed.list({ type: 'all', per_page: RECENT })),
    found(api.feed.list({ authorId: user.id, type: 'all', per_page: RECENT })),
    itemsOf(locals, () => api.library.list({ scope: 'mine', kind: 'all', per_page: OWN })),
  ])
  const others = latest.items.filter(({ authorId }) => authorId !== user.id)
  const fresh = since === undefined ? [] : others.filter(({ createdAt }) => createdAt > since)
  return {
    since,
    forMe: inbox.items.filter((one) => TO_ME.has(one.type) && !isPending(one)).slice(0, UNREAD_SHOWN),
    followed: inbox.items.filter(({ type }) => !TO_ME.has(type)).slice(0, UNREAD_SHOWN),
    pending: news.pending,
    pendingTotal: news.pendingTotal,
    fresh: rows(fresh.slice(0, NEW_SHOWN)),
    freshCount: fresh.length,
    /** Whether there may be more than were looked at. */
    freshMore: fresh.length > 0 && fresh.length === others.length && latest.hasMore,
    trending: rows(trending.items),
    people: peopleIn(latest.items),
    own: own.items
      .filter(({ url }) => !url.startsWith('/library/'))
      .slice(0, OWN)
      .map(({ id, title, url, score, type }) => ({ id, title, url, score, type })),
    items: items.map(shown).map(({ id, kind, slug, name, visibility }) => ({ id, kind, slug, name, visibility })),
  }
}

const VISITS = 'visits'
/** A reader who comes back sooner is on the same visit. */
const VISIT_MILLISECONDS = 30 * 60_000
const YEAR_SECONDS = 365 * 86_400

/**
 * When the visit before this one was last seen, by a cookie with two times: the end of the visit before, and the last look of this one.
 * Undefined on a first visit.
 */
export function lastVisit(cookies: Cookies, now: number): string | undefined {
  const [before, seen] = (cookies.get(VISITS) ?? '').split('.').map(Number)
  const isKnown = (time: number | undefined): time is number => Number.isSafeInteger(time) && time! > 0 && time! <= now
  const since = isKnown(seen) && now - seen > VISIT_MILLISECONDS ? seen : isKnown(before) ? before : undefined
  const options = { path: '/', maxAge: YEAR_SECONDS, httpOnly: true, sameSite: 'lax' } as const
  cookies.set(VISITS, `${since ?? 0}.${now}`, options)
  return since === undefined ? undefined : new Date(since).toISOString()
}
