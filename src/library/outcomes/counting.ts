// Makes the figures of versions from their reports, in the background; hides, deletes and checks reports with them.
import type { HideableKind } from '../../content/things.ts'
import type { Db } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { keepItems } from '../downloads/queries.ts'
import { findLockedItem, updateItem } from '../items/queries.ts'
import * as queries from '../outcome-figures/queries.ts'
import { COUNTED_DAYS, type Figures, figuresOf, REPORTABLE_DAYS, rankOf } from '../outcome-figures/rules.ts'

const DAY = 86_400_000
const AT_ONCE = 100

/** The day (UTC) of a moment, or so many days before it. */
export const dayOf = (now: string, daysBefore = 0): string =>
  new Date(Date.parse(now) - daysBefore * DAY).toISOString().slice(0, 10)

const stored = ({ errors, ...figures }: Figures) => ({ ...figures, errors: JSON.stringify(errors) })

/** Versions that wait, as a job finds them. */
export const listWaiting = async (db: Db, limit: number) =>
  (await queries.listStale(db, limit)).map(({ itemId, number, since }) => ({ key: `${itemId}/${number}`, since }))

function versionOf(key: string): queries.VersionKey {
  const [itemId = '', number] = key.split('/')
  return { itemId, number: Number(number) }
}

/** Makes the figures of a version again. */
export async function countVersion(db: Db, key: string, now: string): Promise<void> {
  const version = versionOf(key)
  await db.transaction().execute(async (transaction) => {
    // The item comes before what waits for it, as where a version of it is changed.
    await keepItems(transaction, [version.itemId])
    await queries.takeStale(transaction, version)
    const figures = figuresOf(await queries.listCounted(transaction, version))
    if (figures) await queries.putFigures(transaction, { ...version, ...stored(figures) })
    else await queries.deleteFigures(transaction, version)
    await queries.markRanks(transaction, [version.itemId], now)
  })
}

/** Deletes reports, whose versions are counted again. */
async function drop(db: Db, reports: readonly (queries.VersionKey & { id: string })[], now: string): Promise<void> {
  if (reports.length === 0) return
  await db.transaction().execute(async (transaction) => {
    await queries.markStale(transaction, reports, now)
    await queries.deleteReports(
      transaction,
      reports.map(({ id }) => id),
    )
  })
}

export const outcomeErasure: ErasureStep = {
  name: 'outcomes',
  part: 'content',
  clears: ['outcome.accountId'],
  async erase({ db, clock }, { id: authorId }) {
    const reports = await queries.listReportsOf(db, { authorId, after: '', limit: ERASURE_BATCH })
    await drop(db, reports, timestamp(clock.now()))
    return reports.length === ERASURE_BATCH
  },
}

/** What a block does to the reports of an account: they do not count as long as it lasts. */
export const outcomeHiding: HideableKind = {
  type: 'outcome',
  find: () => Promise.resolve(undefined),
  // The mark comes before the report, as where one is stored.
  async lock(db, id) {
    const report = await queries.findReport(db, id)
    if (report) await queries.markStale(db, [report], `${report.day}T00:00:00.000Z`)
    return queries.lockReport(db, id)
  },
  listIdsOf: async (db, of) => (await queries.listReportsOf(db, of)).map(({ id }) => id),
  setHidden: (db, id, { hidden }) => queries.updateReport(db, id, { hidden }),
  remove: () => Promise.resolve([]),
}

/** Forgets who downloaded what, and reports that count no more. */
export async function cleanUpOutcomes(db: Db, now: string): Promise<void> {
  await queries.deleteOldDownloaders(db, dayOf(now, REPORTABLE_DAYS))
  for (;;) {
    const old = await queries.listOldReports(db, dayOf(now, COUNTED_DAYS), AT_ONCE)
    await drop(db, old, now)
    if (old.length < AT_ONCE) return
  }
}

/** Reports each version whose figures are not those of its reports, for `npm run admin -- verify`. */
export async function checkOutcomes(db: Db, report: (sentence: string) => void): Promise<void> {
  let after: queries.VersionKey = { itemId: '', number: 0 }
  for (;;) {
    const versions = await queries.listSettled(db, after, AT_ONCE)
    for (const version of versions) {
      // A server that runs may have counted in between: what is wrong is wrong when it is looked at again.
      if ((await differs(db, version)) && (await differs(db, version))) {
        report(`The figures of version ${version.number} of item ${version.itemId} are not those of its reports`)
      }
    }
    const last = versions.at(-1)
    if (!last || versions.length < AT_ONCE) return
    after = last
  }
}

async function differs(db: Db, version: queries.VersionKey): Promise<boolean> {
  const found = await queries.findFigures(db, version)
  const expected = figuresOf(await queries.listCounted(db, version))
  const isSame = JSON.stringify(found && sorted(found)) === JSON.stringify(expected && sorted(stored(expected)))
  return !isSame && !(await queries.isStale(db, version))
}

const sorted = (figures: object) => Object.entries(figures).toSorted(([a], [b]) => (a < b ? -1 : 1))

// Keeps the rank of items, by which lists of the best go along an index. It is found again in the background after a report, a download, or
// a version that is yanked or deleted.

const RANKED_AT_ONCE = 100

/** Finds the rank of an item again. */
export async function rankItem(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // The item comes first, as where a version of it is changed.
    if (!(await findLockedItem(transaction, id))) return
    await queries.takeRank(transaction, id)
    const [item] = await queries.listRanked(transaction, [id])
    if (!item) return
    const rank = rankOf(item.figures, item.downloads)
    if (rank !== item.rank) await updateItem(transaction, id, { rank })
  })
}

/** Reports each item whose rank is another one than that of its figures and downloads, for `npm run admin -- verify`. */
export async function checkRanks(db: Db, report: (sentence: string) => void): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await queries.listIdsRanked(db, after, RANKED_AT_ONCE)
    for (const { id, rank, figures, downloads } of await queries.listRanked(db, ids)) {
      const expected = rankOf(figures, downloads)
      const isWaiting =
        rank !== expected && (await queries.listUnranked(db, RANKED_AT_ONCE)).some(({ key }) => key === id)
      if (rank !== expected && !isWaiting) report(`The rank of item ${id} is ${rank} and should be ${expected}`)
    }
    after = ids.at(-1) ?? ''
    if (ids.length < RANKED_AT_ONCE) return
  }
}
