// What a member did, as badges: read off what is counted anyway, so no one has to give them and nothing is stored.
import type { PartsOff } from '../../contract/parts.ts'
import type { Db } from '../../database/schema.ts'
import { countOf } from '../counters.ts'
import { type BadgeKind, badgeKinds, badges } from './contract.ts'
import { countThanked } from './queries.ts'

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
export async function badgesOf(db: Db, { userId, off }: { userId: string; off: PartsOff }) {
  const numbers = await Promise.all(badgeKinds.map((kind) => counts[kind](db, userId)))
  return badgeKinds.flatMap((kind, at) => {
    const { title, about, from } = badges[kind]
    const isOn = !off.kinds.has(kindOf[kind] ?? '')
    return isOn && (numbers[at] ?? 0) >= from ? [{ kind, title, about }] : []
  })
}
