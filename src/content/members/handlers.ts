// Handlers for members and for what there is of everything.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { avatarUrl } from '../../identity/rules.ts'
import type { Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { findDocuments } from '../../search/finding.ts'
import { countOf } from '../counters.ts'
import { badgesOf } from './badges.ts'
import type { members } from './contract.ts'
import { listMembers, type MemberRow, pageOfMembers } from './queries.ts'

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
