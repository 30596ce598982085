// The log as it is stored.
import type { Tile, TileName } from '@guildhall/verifiable/log'
import { locksRows, recordsIn } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { inTransaction } from '../database/rows.ts'
import type { Db, LogEntryTable, LogHeadTable, Transaction } from '../database/schema.ts'

const ONE = 1

interface NewEntry {
  type: LogEntryTable['type']
  itemId: string
  version: string | null
  /** Its facts. */
  text: string
}

const addition = prepared(
  (db, given: Bind<NewEntry>) =>
    db.insertInto('logEntry').values({
      position: null,
      type: given('type'),
      itemId: given('itemId'),
      version: given('version'),
      at: null,
      text: given('text'),
      hash: null,
    }),
  { pipelined: true },
)

/** Adds an entry that has no place in the tree yet. No transaction waits for another. */
export async function insertEntry(db: Transaction, entry: NewEntry): Promise<void> {
  await addition(db, entry)
}

const headColumns = ['size', 'root', 'origin', 'key'] as const

const head = prepared((db) => db.selectFrom('logHead').select(headColumns).where('id', '=', ONE))

export async function findHead(db: Db): Promise<Omit<LogHeadTable, 'id'> | undefined> {
  return (await head(db, {})).rows[0]
}

/** The head, locked until the transaction ends; undefined while another process has it. */
export function takeHead(db: Transaction) {
  const row = db.selectFrom('logHead').select(headColumns).where('id', '=', ONE)
  return (locksRows(db) ? row.forUpdate().skipLocked() : row).executeTakeFirst()
}

export async function updateHead(db: Transaction, values: Omit<LogHeadTable, 'id'>): Promise<void> {
  await db.updateTable('logHead').set(values).where('id', '=', ONE).execute()
}

const waiting = prepared((db, given: Bind<{ limit: number }>) =>
  db.selectFrom('logEntry').select(['id', 'text']).where('position', 'is', null).orderBy('id').limit(given('limit')),
)

/** Entries without a place, in the order of their writes as far as it matters: those of one item are written under its lock. */
export async function listWaiting(db: Db, limit: number) {
  return (await waiting(db, { limit })).rows
}

export interface PlacedEntry {
  id: number
  position: number
  /** The leaf, and its hash in hex. */
  text: string
  hash: string
}

/** Gives entries their places in the tree. */
export async function placeEntries(db: Transaction, placed: readonly PlacedEntry[], at: string): Promise<void> {
  const columns = { id: 'integer', position: 'integer', text: 'text', hash: 'text' } as const
  await db
    .updateTable('logEntry')
    .from(recordsIn<PlacedEntry>(db, JSON.stringify(placed), columns))
    .set((row) => ({
      position: row.ref('given.position'),
      text: row.ref('given.text'),
      hash: row.ref('given.hash'),
      at,
    }))
    .whereRef('logEntry.id', '=', 'given.id')
    .execute()
}

const tile = prepared((db, given: Bind<TileName>) =>
  db
    .selectFrom('logTile')
    .select(['level', 'number', 'hashes', 'middle'])
    .where('level', '=', given('level'))
    .where('number', '=', given('number')),
)

export async function findTile(db: Db, name: TileName): Promise<Tile | undefined> {
  return (await tile(db, name)).rows[0]
}

export async function upsertTile(db: Transaction, { level, number, hashes, middle }: Tile): Promise<void> {
  await db
    .insertInto('logTile')
    .values({ level, number, hashes, middle })
    .onConflict((conflict) => conflict.columns(['level', 'number']).doUpdateSet({ hashes, middle }))
    .execute()
}

export const insertCheckpoint = inTransaction.insertInto('logCheckpoint')

const checkpoint = prepared((db, given: Bind<{ size: number }>) =>
  db.selectFrom('logCheckpoint').select(['size', 'note', 'at']).where('size', '=', given('size')),
)

export async function findCheckpoint(db: Db, size: number) {
  return (await checkpoint(db, { size })).rows[0]
}

const cosignatures = prepared((db, given: Bind<{ size: number }>) =>
  db.selectFrom('logCosignature').select(['witness', 'line']).where('size', '=', given('size')).orderBy('witness'),
)

/** What witnesses signed of the checkpoint of this size. */
export async function listCosignatures(db: Db, size: number) {
  return (await cosignatures(db, { size })).rows
}

const witnessed = prepared((db) => db.selectFrom('logCosignature').select('size').orderBy('size', 'desc').limit(1))

/** The size of the newest checkpoint that a witness signed. */
export async function findWitnessedSize(db: Db): Promise<number | undefined> {
  return (await witnessed(db, {})).rows[0]?.size
}

/** Keeps the newest line of a witness for a checkpoint. */
export async function upsertCosignature(
  db: Transaction,
  { size, witness, line, at }: { size: number; witness: string; line: string; at: string },
): Promise<void> {
  await db
    .insertInto('logCosignature')
    .values({ size, witness, line, at })
    .onConflict((conflict) => conflict.columns(['size', 'witness']).doUpdateSet({ line, at }))
    .execute()
}

const places = prepared((db, given: Bind<{ from: number; limit: number }>) =>
  db
    .selectFrom('logEntry')
    .select(['position', 'type', 'itemId', 'version', 'at', 'text', 'hash'])
    .where('position', '>=', given('from'))
    .orderBy('position')
    .limit(given('limit')),
)

/** Entries of the tree from an index on, in order. */
export async function listEntries(db: Db, { from, limit }: { from: number; limit: number }) {
  return (await places(db, { from, limit })).rows
}
