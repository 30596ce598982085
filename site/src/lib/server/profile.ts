// The tabs of a profile: what a member did lately, what they wrote, said and published, and their orgs.
import type { Answer } from '#lib/api.ts'
import { short } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import type { PartsOff } from '../../../../src/contract/parts.ts'
import { item } from '../../../../src/library/items/subject.ts'
import { found } from './answers.ts'
import { glimpse, oneOf } from './lists.ts'
import { pageNumber } from './page-number.ts'

type Api = App.Locals['api']
type Profile = Answer<'profile.show'>

export const tabs = ['activity', 'posts', 'comments', 'items', 'orgs'] as const
export type Tab = (typeof tabs)[number]

/** The tabs whose parts are on. */
export const tabsOn = ({ kinds }: Pick<PartsOff, 'kinds'>): Tab[] =>
  tabs.filter((tab) => (tab === 'orgs' ? !kinds.has('org') : tab !== 'items' || ITEMS.some((kind) => !kinds.has(kind))))

const tabIn = (url: URL, off: Pick<PartsOff, 'kinds'>): Tab =>
  oneOf(url.searchParams.get('show'), tabsOn(off)) ?? 'activity'

const ITEMS = item.kinds.map(({ kind }) => kind)
const RECENT = 20
const ORGS_A_PAGE = 12
/** Of each kind; more are found in the library. */
const MAX_ITEMS = 100

const entryOf = (item: Profile['entries']['items'][number]) => ({ ...item, preview: glimpse(item.preview) })

/** The beginning of each text. */
const commentOf = ({ body, ...comment }: Answer<'comments.list'>['items'][number]) => ({
  ...comment,
  preview: glimpse(body),
})

/** What the tab of a profile shows. */
export async function tabOf({ api, server }: App.Locals, profile: Profile, url: URL) {
  const show = tabIn(url, server.off)
  const { id } = profile
  if (show === 'comments') {
    const { items, next } = await found(
      api.comments.list({ authorId: id, before: url.searchParams.get('before') ?? undefined }),
    )
    return { show, comments: rendered(items.map(commentOf)), next }
  }
  if (show === 'posts') return { show, entries: rendered(profile.entries.items.map(entryOf)) }
  if (show === 'items') return { show, entries: rendered(await itemsOf({ api, server }, id)) }
  if (show === 'orgs') {
    const page = pageNumber(url)
    const { items, hasMore } = await found(api.orgs.list({ authorId: id, page, per_page: ORGS_A_PAGE }))
    const orgs = items.map((org) => ({ ...org, name: short(org.name, 100), goal: short(org.goal, 300) }))
    return { show, orgs: rendered(orgs), hasMore }
  }
  return { show, activity: rendered(await activityOf(api, profile)) }
}

/** What the feed has of a member from the library. */
async function itemsOf({ api, server }: Pick<App.Locals, 'api' | 'server'>, authorId: string) {
  const kinds = await Promise.all(
    ITEMS.filter((kind) => !server.off.kinds.has(kind)).map((type) =>
      found(api.feed.list({ authorId, type, per_page: MAX_ITEMS })),
    ),
  )
  return newestFirst(kinds.flatMap(({ items }) => items)).map(entryOf)
}

/** The newest of what a member wrote and said, as one list. */
async function activityOf(api: Api, { id }: Profile) {
  const [{ items: entries }, { items: comments }] = await Promise.all([
    found(api.feed.list({ authorId: id, type: 'all', per_page: RECENT })),
    found(api.comments.list({ authorId: id, per_page: RECENT })),
  ])
  const both = [
    ...entries.map((entry) => ({
      createdAt: entry.createdAt,
      id: entry.id,
      entry: entryOf(entry),
      comment: undefined,
    })),
    ...comments.map((one) => ({ createdAt: one.createdAt, id: one.id, comment: commentOf(one), entry: undefined })),
  ]
  return newestFirst(both).slice(0, RECENT)
}

const newestFirst = <One extends { createdAt: string }>(all: readonly One[]): One[] =>
  all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
