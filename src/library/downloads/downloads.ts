// Downloads are counted in the background, never by the request itself: once for each version, network and day (UTC). No address is stored,
// only a keyed hash of the network, and that until the next day is over. A process writes its counts every ten seconds and when it
// stops; one that crashes loses those of the last ten seconds.
import { networkOf } from '../../budgets/budgets.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Context, Dependencies } from '../../request/handler.ts'
import { keyedHash } from '../../runtime/hash.ts'
import type { ItemRow, StoredVersion } from '../items/queries.ts'
import { markRanks } from '../outcome-figures/queries.ts'
import { addDownloads, type DownloadCount, deleteOldDownloads, insertCounted, keepItems } from './queries.ts'

/** Different downloads that wait to be written; further ones are not counted. */
const MAX_WAITING = 10_000
/** Downloads a transaction. */
const BATCH = 500
const DAY = 86_400_000
const KEPT_DAYS = 30

interface Download {
  itemId: string
  version: string
  /** YYYY-MM-DD */
  day: string
  network: string
}

const dayOf = (now: string, daysBefore = 0) => new Date(Date.parse(now) - daysBefore * DAY).toISOString().slice(0, 10)

export class Downloads {
  readonly #dependencies: Pick<Dependencies, 'db' | 'secretFor'>
  readonly #waiting = new Map<string, Download>()

  constructor(dependencies: Pick<Dependencies, 'db' | 'secretFor'>) {
    this.#dependencies = dependencies
  }

  /**
   * Counts the request as a download of a version: not that of a private item, by its owner, of a part of the file, or of what the caller
   * has already.
   */
  count(
    { request, caller, address, now }: Pick<Context, 'request' | 'caller' | 'address' | 'now'>,
    { id, ownerId, visibility }: Pick<ItemRow, 'id' | 'ownerId' | 'visibility'>,
    { version, sha256 }: Pick<StoredVersion, 'version' | 'sha256'>,
  ): void {
    if (visibility === 'private' || caller?.id === ownerId || !isWhole(request, sha256)) return
    const download = { itemId: id, version, day: dayOf(now), network: networkOf(address) }
    const key = Object.values(download).join(' ')
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, download)
  }

  /** Writes what was counted; what cannot be written waits for the next call. */
  async write(): Promise<void> {
    for (;;) {
      const batch = [...this.#waiting].slice(0, BATCH)
      if (batch.length === 0) return
      await this.#write(batch.map(([, download]) => download))
      for (const [key] of batch) this.#waiting.delete(key)
    }
  }

  async #write(batch: readonly Download[]): Promise<void> {
    const { db, secretFor } = this.#dependencies
    const secret = await secretFor('downloads')
    const rows = batch.map(({ network, ...download }) => {
      const { day, itemId, version } = download
      return { ...download, count: 1, key: keyedHash(secret, network, 'download', day, itemId, version) }
    })
    rows.sort((a, b) => (a.key < b.key ? -1 : 1))
    await db.transaction().execute((transaction) => countAll(transaction, rows))
  }
}

async function countAll(db: Transaction, rows: readonly (DownloadCount & { key: string })[]): Promise<void> {
  const there = await keepItems(db, [...new Set(rows.map(({ itemId }) => itemId))])
  const counted = rows.filter(({ itemId }) => there.has(itemId))
  const fresh = await insertCounted(
    db,
    counted.map(({ day, key }) => ({ day, key })),
  )
  const added = counted.filter(({ key }) => fresh.has(key))
  await markRanks(
    db,
    added.map(({ itemId }) => itemId),
    `${added[0]?.day}T00:00:00.000Z`,
  )
  await addDownloads(db, added)
}

/** Whether a request gets a file from its beginning on, as `http/send-file.ts` answers it. */
export function isWhole({ method, headers }: Context['request'], tag: string): boolean {
  const range = headers.get('range')
  const known = headers.get('if-none-match')
  return method === 'GET' && (range === null || /^bytes=0-$/.test(range)) && known !== '*' && !known?.includes(tag)
}

/** Forgets who was counted once the next day is over, and the counts of days more than 30 days ago. */
export const cleanUpDownloads = (db: Dependencies['db'], now: string): Promise<void> =>
  deleteOldDownloads(db, { counted: dayOf(now, 1), days: dayOf(now, KEPT_DAYS) })
