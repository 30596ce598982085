// A version closes bugs that are about its item: those who publish it know what is fixed.

import { requireKind } from '../../budgets/bounds.ts'
import { listAbout } from '../../content/about/queries.ts'
import { requirePowerIn } from '../../content/board-access/boards.ts'
import { closeNext, type Publications, type ThingToClose } from '../../content/edits/closing.ts'
import { listNumbers } from '../../content/references/queries.ts'
import { listOfNumbers } from '../../content/references/rules.ts'
import type { ClosableKind } from '../../content/things.ts'
import { asksFirst, requirePower } from '../../contract/bounds.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { precedenceOf } from '../../formats/version.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { findVersion } from '../items/queries.ts'
import { pathOf } from '../records/record.ts'
import * as queries from './queries.ts'

interface Closing {
  item: { id: string }
  closes: string
  releasings: readonly ClosableKind[]
}

type Closer = Pick<Context<Caller>, 'caller' | 'config' | 'isAgreedTo'>

/** Closing bugs is a write of a kind of its own: an agent that may not write those closes none by publishing. */
function requireClosing({ caller, config, isAgreedTo }: Closer): void {
  const bounds = 'bounds' in caller.via ? caller.via.bounds : undefined
  if (bounds) requireKind({ kind: 'posts' }, bounds)
  if (isAgreedTo) return
  if (asksFirst({ kind: 'posts' }, bounds))
    throw new Problem('outside_bounds', 'The account wants to be asked before this, and it cannot be tried first')
  requirePower(config.agents, caller, { kind: 'posts', wanted: 'write' })
}

/** What a version is to close. Of a number that is of something else, or that the caller cannot see, nothing more is said. */
async function pendingOf(
  closer: Closer,
  db: Transaction,
  { item, closes, releasings }: Closing,
): Promise<ThingToClose[]> {
  const { caller, isAgreedTo } = closer
  const numbers = listOfNumbers(closes) ?? []
  if (numbers.length > 0) requireClosing(closer)
  const found = numbers.length > 0 ? await listNumbers(db, numbers) : []
  const closable = new Set(releasings.flatMap(({ type, byVersions }) => (byVersions ? [type] : [])))
  const about = new Set(
    await listAbout(
      db,
      item.id,
      found.map(({ id }) => id),
    ),
  )
  const byNumber = new Map(found.map((thing) => [Number(thing.number), thing]))
  const pending = numbers.map((number) => {
    const thing = byNumber.get(number)
    if (!thing || !closable.has(thing.type) || !about.has(thing.id))
      throw new Problem('invalid_request', `closes: #${number} is no bug about this item`)
    return { type: thing.type, id: thing.id }
  })
  const things = [...new Map(pending.map((one) => [one.id, one])).values()]
  const ids = things.map(({ id }) => id)
  // As of a release, what agents may do in the board of a thing counts.
  if (ids.length > 0 && !isAgreedTo)
    await requirePowerIn(db, { caller, kind: 'posts', wanted: 'write', input: { ids }, isPlaced: false })
  return things
}

type Closes = string | undefined

/** What publishing asks: `releasings` are the kinds of things that can be closed. */
export const closingBy = (releasings: readonly ClosableKind[]) => ({
  /** Notes what a version of a locked item closes. */
  async keep(
    context: Context<Caller>,
    db: Transaction,
    { item, version, closes = '' }: { item: { id: string }; version: string; closes: Closes },
  ): Promise<void> {
    const pending = await pendingOf(context, db, { item, closes, releasings })
    const published = pending.length > 0 && (await findVersion(db, item.id, precedenceOf(version)))
    if (!published) return
    const { itemId, number } = published
    const accountId = context.caller.id
    await queries.insertPending(db, { id: newId(), itemId, number, accountId, pending: JSON.stringify(pending) })
  },

  /** Closes what the version closes, right after it is published; a job closes what is left. */
  async close({ db, now }: Context<Caller>, closes: Closes): Promise<void> {
    for (const _ of listOfNumbers(closes ?? '') ?? []) {
      if (!(await closeNext({ db, now }, releasings, versions))) return
    }
  },
})

const pendingIn = ({ pending }: { pending: string }) => parseJson<ThingToClose[]>(pending)

export const versions: Publications = {
  async find(db) {
    const row = await queries.findPending(db)
    return row && { id: row.id, pending: pendingIn(row) }
  },
  async lock(db, id) {
    const row = await queries.lockPending(db, id)
    const published = row && (await queries.findPublished(db, row))
    if (!published) return undefined
    const locked = { id, by: row.accountId, pending: pendingIn(row), onlyOpen: true } as const
    // Of an item that not everybody sees, its name is not told.
    if (!published.listed) return { ...locked, reason: 'Released' }
    const { kind, slug, version } = published
    const url = `${pathOf(published)}/versions/${encodeURIComponent(version)}`
    return { ...locked, reason: `Released with ${kind}/${slug}@${version}`, release: { id: published.id, url } }
  },
  async update(db, id, left) {
    if (left.length === 0) await queries.deletePending(db, id)
    else await queries.updatePending(db, id, { pending: JSON.stringify(left) })
  },
}

/** What its versions have still to close is closed without its name. */
export const closingErasure: ErasureStep = {
  name: 'closing versions',
  part: 'account',
  clears: ['versionCloses.accountId'],
  async erase({ db }, { id }) {
    return (await queries.updateAccounts(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH
  },
}
