// Which account lets a run of a CI publish an item, for the authorization server; and what a token of such a run may publish.
import { Problem } from '../../contract/problem.ts'
import { PUBLISHING_CLIENT } from '../../contract/trusted-publishing.ts'
import type { Db } from '../../database/schema.ts'
import type { CiRun, TrustedPublishers } from '../../identity/ci-run.ts'
import type { Caller } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Step } from '../changing/step.ts'
import { type Kind, kinds } from '../items/item-contract.ts'
import { findItem } from '../items/queries.ts'
import { isOwner } from '../items/rules.ts'
import { withRoles } from '../records/record.ts'
import {
  findPublishing,
  insertPublishingGrant,
  linkPublishers,
  listLetting,
  lockPublisher,
  type Publisher,
  updateUse,
} from './queries.ts'
import { isPinned, lets } from './rules.ts'

const isKind = (name: string): name is Kind => kinds.some((kind) => kind === name)

/** Those that may still be used: of an item those of accounts that publish it by themselves. */
async function listGood(db: Db, { kind, slug }: { kind: string; slug: string }): Promise<Publisher[]> {
  const item = isKind(kind) ? await findItem(db, { kind, slug }) : undefined
  if (!item) return listLetting(db, { kind, slug })
  if (item.gallery) return []
  const good: Publisher[] = []
  for (const publisher of await listLetting(db, { itemId: item.id })) {
    const account = { id: publisher.accountId }
    const [seen] = await withRoles<typeof item>(db, account, [item])
    if (seen && (isOwner(account, seen) || ('role' in seen && seen.role === 'maintainer'))) good.push(publisher)
  }
  return good
}

export const trustedPublishers: TrustedPublishers = {
  async find(db, { kind, slug, publisherId, run }) {
    const all = (await listGood(db, { kind, slug })).filter((publisher) => lets(publisher, run))
    const named = publisherId === undefined ? all : all.filter(({ id }) => id === publisherId)
    // A name that is not taken is of no account yet: another one can have named it too.
    if (named.some(({ itemId }) => itemId === null) && new Set(named.map(({ accountId }) => accountId)).size > 1)
      return 'several'
    return named.find((publisher) => isPinned(publisher, run)) ?? named[0]
  },

  async use(db, { id }, { grantId, run, now }) {
    if (!(await updateUse(db, id, { run, now }))) return false
    await insertPublishingGrant(db, { grantId, publisherId: id, run: JSON.stringify(run) })
    return true
  },
}

/** The grant of a caller whose token is of a run; undefined for every other caller. */
const grantOf = ({ via }: Caller): string | undefined =>
  'clientId' in via && via.clientId === PUBLISHING_CLIENT ? (via.grantId ?? '') : undefined

/** The run behind a caller; undefined for a person or another program. */
export async function runOf(db: Db, caller: Caller): Promise<CiRun | undefined> {
  const grantId = grantOf(caller)
  const found = grantId === undefined ? undefined : await findPublishing(db, grantId)
  return found && parseJson<CiRun>(found.run)
}

const another = ({ kind, slug }: Pick<Publisher, 'kind' | 'slug'>) =>
  new Problem('outside_bounds', `This token publishes ${kind}/${slug} alone`)

/**
 * A token of a run publishes its item alone: that of its publisher, or what gets the name that this one waits for. What an account publishes
 * under such a name by itself gets its publishers as well.
 */
export const publishesItsItem: Step = async ({ db, caller }, { kind, item }) => {
  const grantId = grantOf(caller)
  if (grantId === undefined) {
    return async (transaction, { item: { id: itemId, slug } }) => {
      if (!item) await linkPublishers(transaction, { accountId: caller.id, kind, slug, itemId })
    }
  }
  const seen = await findPublishing(db, grantId)
  if (!seen) throw new Problem('outside_bounds', 'The access of this run has ended')
  if (item ? seen.itemId !== item.id : seen.itemId !== null || seen.kind !== kind) throw another(seen)
  return async (transaction, { item: published }) => {
    const publisher = await lockPublisher(transaction, seen.id)
    if (!publisher) throw another(seen)
    if (publisher.itemId === published.id) return
    const isItsName = publisher.kind === published.kind && publisher.slug === published.slug
    if (publisher.itemId !== null || item || !isItsName) throw another(publisher)
    const { accountId, slug } = publisher
    await linkPublishers(transaction, { accountId, kind, slug, itemId: published.id })
  }
}
