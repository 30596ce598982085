// What domains prove: the name of a version whose signing key the domain of the name names. Read with each answer, because a domain can take a
// key out; nothing is asked here.
import type { Db, Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Kind } from '../items/item-contract.ts'
import { countAsked, listDue, listNamed, upsertDomain } from './queries.ts'
import { domainOf, KEPT_SECONDS, MAX_DOMAINS_A_DAY, REST_SECONDS } from './rules.ts'

const DAY_SECONDS = 86_400

interface Version {
  id: string
  kind: Kind
  slug: string
  version: string
}

const keyOf = (id: string, version: string) => `${id} ${version}`

/** Tells which of some versions have a name that its domain proves. */
export async function domainProofs(
  db: Db,
  now: string,
  versions: readonly Version[],
): Promise<(version: Pick<Version, 'id' | 'version'>) => boolean> {
  const asked = versions.flatMap(({ id: itemId, version, ...named }) => {
    const domain = domainOf(named)
    return domain === undefined ? [] : [{ itemId, version, domain }]
  })
  const rows = asked.length === 0 ? [] : await listNamed(db, asked, after(now, -KEPT_SECONDS))
  const proven = rows.filter(({ publicKey, publicKeys }) => parseJson<string[]>(publicKeys).includes(publicKey))
  const keys = new Set(proven.map(({ itemId, version }) => keyOf(itemId, version)))
  return ({ id, version }) => keys.has(keyOf(id, version))
}

/** Has the domain asked that the name of an item says, if it says one: a version of the item was signed. */
export async function noteSigned(db: Transaction, item: { kind: Kind; slug: string }, now: string): Promise<void> {
  const domain = domainOf(item)
  if (domain !== undefined) await upsertDomain(db, { domain, now })
}

/** Domains that are to be asked now, as many as the day has room for. */
export async function listDomains(db: Db, { now, limit }: { now: string; limit: number }) {
  const due = await listDue(db, { now, rested: after(now, -REST_SECONDS), limit })
  if (due.length === 0) return []
  const asked = await countAsked(db, after(now, -DAY_SECONDS))
  return due.slice(0, Math.max(0, MAX_DOMAINS_A_DAY - asked))
}
