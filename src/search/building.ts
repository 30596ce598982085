// Builds the index of the search again when this version of the server makes it otherwise than the one that did: in small transactions,
// each of which stores how far it got, while things are written and searched. A document that was not reached yet is found as before.
// Counts of terms begin at zero, and each document is counted when it is put, by this or by who writes the thing.
import { setTimeout as sleep } from 'node:timers/promises'
import { waitForLocks } from '../database/prepared.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { SearchSource } from './building-queries.ts'
import * as queries from './building-queries.ts'
import { SEARCH_VERSION } from './document.ts'
import { changeSearch } from './indexing.ts'

export { countDocuments, isBuilt, resetBuild } from './building-queries.ts'

/** Things a transaction: with short texts some 10 ms. */
const AT_ONCE = 20
/** A build gives up sooner than the transaction of a member that it waits for. */
const MAX_WAIT = 500
const BUSY_MILLISECONDS = 200

export interface Build {
  db: Db
  sources: readonly SearchSource[]
  /** The time, for the note that it is done. */
  now: () => string
}

/** Builds the index until it is complete. Between transactions it pauses for as long as one takes. */
export async function buildSearch(build: Build): Promise<void> {
  for (;;) {
    const started = performance.now()
    if (!(await buildBatch(build))) return
    await sleep(Math.min(20, performance.now() - started))
  }
}

/** One transaction. Gives whether there may be more. */
export async function buildBatch(build: Build): Promise<boolean> {
  const found = await queries.findBuild(build.db)
  if (queries.isDone(found)) return false
  if (!found) await queries.resetBuild(build.db)
  const wasFree = await build.db.transaction().execute((transaction) => buildSome(transaction, build))
  if (!wasFree) await sleep(BUSY_MILLISECONDS)
  return true
}

/** Goes on with some things; false while another process does. */
async function buildSome(db: Transaction, { sources, now }: Build): Promise<boolean> {
  await waitForLocks(db, { atMostMilliseconds: MAX_WAIT })
  const build = await queries.takeBuild(db)
  if (!build) return false
  const { version, stage } = build
  if (version !== SEARCH_VERSION) {
    await queries.resetCounts(db)
    await queries.updateBuild(db, { version: SEARCH_VERSION, stage: 0, after: '', doneAt: null })
    return true
  }
  if (build.doneAt !== null) return true
  const source = sources[stage]
  const last = source ? await putSome(db, source, build.after) : await removeSome(db, sources, build.after)
  const doneAt = last === undefined && !source ? now() : null
  const place = last === undefined && source ? { stage: stage + 1, after: '' } : { stage, after: last ?? '' }
  await queries.updateBuild(db, { version, ...place, doneAt })
  return true
}

/** Gives the last thing; undefined when there are no more. */
async function putSome(db: Transaction, source: SearchSource, after: string): Promise<string | undefined> {
  const ids = await source.listIds(db, { after, limit: AT_ONCE, isLocked: true })
  if (ids.length === 0) return undefined
  await changeSearch(db, { put: await source.find(db, ids), isBuild: true })
  return ids.at(-1)
}

/** Removes documents of things that are not found, or not there. */
async function removeSome(
  db: Transaction,
  sources: readonly SearchSource[],
  after: string,
): Promise<string | undefined> {
  const documents = await queries.lockDocuments(db, after, AT_ONCE)
  const found = new Set<string>()
  for (const [type, some] of Map.groupBy(documents, (document) => document.type)) {
    const ids = some.map(({ id }) => id)
    for (const source of sources.filter(({ types }) => types.includes(type))) {
      for (const { id } of await source.find(db, ids)) found.add(id)
    }
  }
  const removed = documents.map(({ id }) => id).filter((id) => !found.has(id))
  if (removed.length > 0) await changeSearch(db, { removed })
  return documents.at(-1)?.id
}
