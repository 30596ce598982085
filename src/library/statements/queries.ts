// Statements of versions, and how far those from before the log are in it; and the keys of publishers.
import { among, countChanged, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, GoneVersionTable, Transaction, VersionStatementTable } from '../../database/schema.ts'
import { type ItemRow, rows } from '../items/queries.ts'

const addition = prepared(
  (db, given: Bind<Omit<VersionStatementTable, 'isLogged'>>) =>
    db.insertInto('versionStatement').values({
      itemId: given('itemId'),
      version: given('version'),
      payload: given('payload'),
      publisherId: given('publisherId'),
      approverId: given('approverId'),
      keyId: given('keyId'),
      signature: given('signature'),
      isLogged: 0,
    }),
  { pipelined: true },
)

export async function insertStatement(db: Transaction, row: Omit<VersionStatementTable, 'isLogged'>): Promise<void> {
  await addition(db, row)
}

const unlogged = prepared((db, given: Bind<{ itemId: string }>) =>
  db
    .selectFrom('itemVersion as version')
    .leftJoin('versionStatement as statement', (join) =>
      join.onRef('statement.itemId', '=', 'version.itemId').onRef('statement.version', '=', 'version.version'),
    )
    .select(['version.version', 'version.sha256', 'version.size', 'version.createdAt', 'version.yankedAt'])
    .select('statement.payload')
    .where('version.itemId', '=', given('itemId'))
    .where((row) => row.or([row('statement.isLogged', 'is', null), row('statement.isLogged', '=', 0)]))
    .orderBy('version.number'),
)

/** Versions of an item that the log does not have, or not as their statement says now, oldest first. */
export async function listUnlogged(db: Db, itemId: string) {
  return (await unlogged(db, { itemId })).rows
}

const logged = prepared(
  (db, given: Bind<{ itemId: string }>) =>
    db
      .updateTable('versionStatement')
      .set({ isLogged: 1 })
      .where('itemId', '=', given('itemId'))
      .where('isLogged', '=', 0),
  { pipelined: true },
)

/** Notes that the log has every statement of an item. */
export async function updateLogged(db: Transaction, itemId: string): Promise<void> {
  await logged(db, { itemId })
}

/** Changes what a statement says: the log has not got it, and who signed it did not sign this. */
export async function updatePayload(
  db: Transaction,
  { itemId, version }: { itemId: string; version: string },
  change: Pick<VersionStatementTable, 'payload' | 'publisherId' | 'approverId'>,
): Promise<void> {
  await db
    .updateTable('versionStatement')
    .set({ ...change, keyId: null, signature: null, isLogged: 0 })
    .where('itemId', '=', itemId)
    .where('version', '=', version)
    .execute()
}

export async function updateSignature(
  db: Transaction,
  { itemId, version }: { itemId: string; version: string },
  signed: { keyId: string; signature: string },
): Promise<void> {
  await db
    .updateTable('versionStatement')
    .set(signed)
    .where('itemId', '=', itemId)
    .where('version', '=', version)
    .execute()
}

const columns = [
  ...(['itemId', 'version', 'payload', 'publisherId', 'approverId', 'keyId', 'signature', 'isLogged'] as const),
] as const

const statement = prepared((db, given: Bind<{ itemId: string; version: string }>) =>
  db
    .selectFrom('versionStatement')
    .select(columns)
    .where('itemId', '=', given('itemId'))
    .where('version', '=', given('version')),
)

export async function findStatement(db: Db, ref: { itemId: string; version: string }) {
  return (await statement(db, ref)).rows[0]
}

/** Every statement of an item. */
export function listStatements(db: Db, itemId: string) {
  return db.selectFrom('versionStatement').select(columns).where('itemId', '=', itemId).execute()
}

/** Statements that name an account, some at a time. */
export function listStatementsBy(db: Db, accountId: string, limit: number) {
  return db
    .selectFrom('versionStatement')
    .select(columns)
    .where((row) => row.or([row('publisherId', '=', accountId), row('approverId', '=', accountId)]))
    .orderBy('itemId')
    .limit(limit)
    .execute()
}

/** Whether the log has, or will have, anything about an item. */
export async function isInLog(db: Db, itemId: string): Promise<boolean> {
  const row = await db.selectFrom('logEntry').select('id').where('itemId', '=', itemId).limit(1).executeTakeFirst()
  return row !== undefined
}

const leaf = prepared((db, given: Bind<{ itemId: string; version: string }>) =>
  db
    .selectFrom('logEntry')
    .select(['position', 'text'])
    .where('itemId', '=', given('itemId'))
    .where('version', '=', given('version'))
    .where('type', '=', 'publish')
    .orderBy('id', 'desc')
    .limit(1),
)

/** The newest leaf that publishes a version; its place is null until it has one. */
export async function findLeaf(db: Db, ref: { itemId: string; version: string }) {
  return (await leaf(db, ref)).rows[0]
}

/** Public items among these. */
export function listShown(db: Db, ids: readonly string[]): Promise<ItemRow[]> {
  return rows(db)
    .where('item.id', ...among(db, JSON.stringify(ids)))
    .where('item.listed', '=', 1)
    .execute()
}

/** Versions of items. */
export function listVersionsOf(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('itemVersion')
    .select(['itemId', 'version', 'sha256', 'size', 'createdAt', 'yankedAt'])
    .where('itemId', ...among(db, JSON.stringify(ids)))
    .execute()
}

/** Statements with their versions, in order, after one. */
export function listStated(db: Db, after: { itemId: string; version: string }, limit: number) {
  return db
    .selectFrom('versionStatement as statement')
    .innerJoin('itemVersion as version', (join) =>
      join.onRef('version.itemId', '=', 'statement.itemId').onRef('version.version', '=', 'statement.version'),
    )
    .select(['statement.itemId', 'statement.version', 'statement.payload', 'statement.isLogged', 'version.sha256'])
    .where((row) =>
      row.or([
        row('statement.itemId', '>', after.itemId),
        row.and([row('statement.itemId', '=', after.itemId), row('statement.version', '>', after.version)]),
      ]),
    )
    .orderBy('statement.itemId')
    .orderBy('statement.version')
    .limit(limit)
    .execute()
}

type GoneName = Pick<GoneVersionTable, 'kind' | 'slug'>

/** Keeps hashes; one that is there stays. */
export async function insertGone(db: Transaction, rows: readonly GoneVersionTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE)
    await db
      .insertInto('goneVersion')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

const ROWS_AT_ONCE = 500

const gone = prepared((db, given: Bind<{ names: string }>) =>
  db
    .selectFrom(recordsIn<GoneName>(db, given('names'), { kind: 'text', slug: 'text' }))
    .innerJoin('goneVersion', (join) =>
      join.onRef('goneVersion.kind', '=', 'given.kind').onRef('goneVersion.slug', '=', 'given.slug'),
    )
    .select(['goneVersion.slug', 'goneVersion.precedence', 'goneVersion.version', 'goneVersion.sha256']),
)

/** What is gone under some names of a kind, in no order. */
export async function listGone(db: Db, { kind, slugs }: { kind: GoneName['kind']; slugs: readonly string[] }) {
  return (await gone(db, { names: JSON.stringify(slugs.map((slug) => ({ kind, slug }))) })).rows
}

/** What everybody could see of an item at any time, by its versions. */
export function listSeen(db: Db, itemId: string) {
  return db
    .selectFrom('logEntry')
    .select(['version', 'text'])
    .where('itemId', '=', itemId)
    .where('type', '=', 'publish')
    .execute()
}

/** The bytes of each version that an item has. */
export function listHashes(db: Db, itemId: string) {
  return db.selectFrom('itemVersion').select(['precedence', 'version', 'sha256']).where('itemId', '=', itemId).execute()
}

const keyColumns = ['id', 'accountId', 'name', 'publicKey', 'createdAt', 'revokedAt'] as const

const key = prepared((db, given: Bind<{ id: string }>) =>
  db.selectFrom('publisherKey').select(keyColumns).where('id', '=', given('id')),
)

export async function findKey(db: Db, id: string) {
  return (await key(db, { id })).rows[0]
}

export const deleteKeysOf = plain.deleteFrom('publisherKey', 'accountId')

/** Revokes the keys of an account that are not revoked yet; returns their number. */
export function revokeKeysOf(db: Transaction, accountId: string, revokedAt: string): Promise<number> {
  const open = db.updateTable('publisherKey').set({ revokedAt }).where('accountId', '=', accountId)
  return countChanged(open.where('revokedAt', 'is', null))
}

/** Keys of an account, oldest first. */
export function listKeys(db: Db, accountId: string) {
  return db
    .selectFrom('publisherKey')
    .select(keyColumns)
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .execute()
}

export const insertKey = inTransaction.insertInto('publisherKey')
export const updateKey = inTransaction.updateTable('publisherKey', 'id')

/** Ids of items after one, in the order in which they were made. */
export async function listItemIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('libraryItem').select('id').where('id', '>', after).orderBy('id').limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}
