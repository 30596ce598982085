// Handlers for members and for what there is of everything.
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { avatarUrl } from '../../identity/rules.ts'
import type { Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { findDocuments } from '../../search/finding.ts'
import { countOf } from '../counter-queries.ts'
import { type BadgeKind, badgeKinds, badges, type members } from './contract.ts'
import { countThanked, listMembers, type MemberRow, pageOfMembers } from './queries.ts'

// What a member did, as badges: read off what is counted anyway, so no one has to give them and nothing is stored.

type Count = (db: Db, userId: string) => Promise<number>

/** How many of a kind are by an account, with these values of its filters. */
const by =
  (kind: string, ...facets: (string | undefined)[]): Count =>
  (db, userId) =>
    countOf(db, { kind, group: `by/${userId}`, facets })

const counts: Readonly<Record<BadgeKind, Count>> = {
  first_fix: by('bug', 'resolved', undefined),
  ten_fixes: by('bug', 'resolved', undefined),
  shipped: by('feature', 'shipped'),
  async publisher(db, userId) {
    const [open, official] = [by('item', 'public', undefined), by('item', 'official', undefined)]
    return (await open(db, userId)) + (await official(db, userId))
  },
  ten_thanked: (db, userId) => countThanked(db, { userId, limit: badges.ten_thanked.from }),
}

/** What those are given for whose part can be off. */
const kindOf: Partial<Record<BadgeKind, string>> = {
  first_fix: 'bug',
  ten_fixes: 'bug',
  shipped: 'feature',
  publisher: 'item',
}

/** The badges of an account whose parts are on, in the order of their declaration. */
async function badgesOf(db: Db, { userId, off }: { userId: string; off: PartsOff }) {
  const numbers = await Promise.all(badgeKinds.map((kind) => counts[kind](db, userId)))
  return badgeKinds.flatMap((kind, at) => {
    const { title, about, from } = badges[kind]
    const isOn = !off.kinds.has(kindOf[kind] ?? '')
    return isOn && (numbers[at] ?? 0) >= from ? [{ kind, title, about }] : []
  })
}

const shown = ({ avatarUpdatedAt, contributions, ...member }: MemberRow) => ({
  ...member,
  username: required(member.username),
  avatarUrl: avatarUrl({ id: member.id, avatarUpdatedAt }),
  contributions: Number(contributions),
})

export const handlers: Handlers<typeof members> = {
  async list({ db, now }, { q, ...request }) {
    if (!q) {
      const { items, ...rest } = await pageOfMembers(db, request)
      return { items: items.map(shown), ...rest }
    }
    const wanted = { q, types: ['person'], ...request, now: Date.parse(now) } as const
    const { items: hits, counts: _c, corrected: _w, ...page } = await findDocuments(db, wanted)
    const rows = await listMembers(db, { ids: hits.map(({ id }) => id) })
    const byId = new Map(rows.map((row) => [row.id, row]))
    const items = hits.flatMap(({ id }) => byId.get(id) ?? []).map(shown)
    return { items, ...page }
  },

  async cards({ db }, named) {
    return { items: (await listMembers(db, named)).map(shown) }
  },

  async badges({ db, config }, { username }) {
    const [member] = await listMembers(db, { usernames: [username] })
    if (!member) throw new Problem('not_found', 'No such user')
    return { items: await badgesOf(db, { userId: member.id, off: partsOff(config) }) }
  },

  async statistics({ db, config }) {
    const { kinds } = partsOff(config)
    const of = async (kind: string, ...facets: (string | undefined)[]) =>
      kinds.has(kind) || (kind === 'feed' && kinds.has(facets[0] ?? ''))
        ? 0
        : countOf(db, { kind, group: 'all', facets })
    const [people, bugs, resolvedBugs, features, shippedFeatures, posts, orgs, open, official] = await Promise.all([
      of('member'),
      of('feed', 'bug'),
      of('bug', 'resolved', undefined),
      of('feed', 'feature'),
      of('feature', 'shipped'),
      of('feed', 'post'),
      of('org'),
      of('item', 'public', undefined),
      of('item', 'official', undefined),
    ])
    const items = open + official
    return { members: people, bugs, resolvedBugs, features, shippedFeatures, posts, orgs, items }
  },
}
