// Things of other trackers and their rows here, and texts that are longer than their fields, as they are stored.
import { among, countChanged } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, ImportedTable, Transaction } from '../../database/schema.ts'

const columns = ['scope', 'type', 'sourceId', 'importId', 'thingId', 'number', 'ownNumber', 'url'] as const

type Key = Pick<ImportedTable, 'scope' | 'type' | 'sourceId'>

const byKey = prepared((db, given: Bind<Key>) =>
  db
    .selectFrom('imported')
    .select(columns)
    .where((e) => e.and({ scope: given('scope'), type: given('type'), sourceId: given('sourceId') })),
)

/** The row here of a thing, comment, label or person of a source; undefined where it never came. */
export const findImported = async (db: Db, key: Key): Promise<ImportedTable | undefined> =>
  (await byKey(db, key)).rows[0]

/** The same for a thing of any kind. */
export const findImportedThing = (db: Db, { scope, sourceId }: Omit<Key, 'type'>): Promise<ImportedTable | undefined> =>
  db
    .selectFrom('imported')
    .select(columns)
    .where((e) => e.and({ scope, sourceId }))
    .where('type', 'in', ['bug', 'feature', 'post'])
    .executeTakeFirst()

export const insertImported = inTransaction.insertInto('imported')

/** Of numbers or addresses that many things share, the first ones count. */
const MOST_FOUND = 500
const thingTypes = ['bug', 'feature', 'post'] as const
const things = (db: Db) =>
  db
    .selectFrom('imported')
    .select(columns)
    .where('type', 'in', thingTypes)
    .orderBy('importId')
    .orderBy('type')
    .orderBy('sourceId')

/** The things of these numbers of any of these sources. */
export const listByNumbers = (
  db: Db,
  scopes: readonly string[],
  numbers: readonly number[],
): Promise<ImportedTable[]> =>
  numbers.length === 0 || scopes.length === 0
    ? Promise.resolve([])
    : things(db).where('scope', 'in', scopes).where('number', 'in', numbers).limit(MOST_FOUND).execute()

export const listByNumber = (db: Db, scope: string, numbers: readonly number[]): Promise<ImportedTable[]> =>
  listByNumbers(db, [scope], numbers)

/** The things of these addresses. */
export const listByUrl = (db: Db, urls: readonly string[]): Promise<ImportedTable[]> =>
  urls.length === 0 ? Promise.resolve([]) : things(db).where('url', 'in', urls).limit(MOST_FOUND).execute()

const ofThing = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('imported')
    .select(columns)
    .where('thingId', '=', given('id'))
    .where('type', 'in', ['bug', 'feature', 'post'])
    .orderBy('importId')
    .limit(1),
)

/** Where a thing came from. */
export const findOrigin = async (db: Db, id: string): Promise<ImportedTable | undefined> =>
  (await ofThing(db, { id })).rows[0]

/** Some of what an import brought, by kind. */
export const listOfImport = (
  db: Db,
  { importId, types, limit }: { importId: string; types: readonly string[]; limit: number },
): Promise<ImportedTable[]> =>
  db
    .selectFrom('imported')
    .select(columns)
    .where('importId', '=', importId)
    .where('type', 'in', types)
    .orderBy('type')
    .orderBy('sourceId')
    .limit(limit)
    .execute()

export async function deleteImported(db: Transaction, { scope, type, sourceId }: Key): Promise<void> {
  await db
    .deleteFrom('imported')
    .where((e) => e.and({ scope, type, sourceId }))
    .execute()
}

/** Gives what came as one account to another one; gives how many there were. */
export const replaceImported = (
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> => {
  const some = db.selectFrom('imported').select('sourceId').where('thingId', '=', from).limit(limit)
  return countChanged(
    db.updateTable('imported').set({ thingId: to }).where('thingId', '=', from).where('sourceId', 'in', some),
  )
}

/** Gives one row of an import to another account. */
export async function reassignImported(
  db: Transaction,
  { scope, type, sourceId }: Key,
  thingId: string,
): Promise<void> {
  await db
    .updateTable('imported')
    .set({ thingId })
    .where((e) => e.and({ scope, type, sourceId }))
    .execute()
}

const texts = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('fullText')
    .select(['thingId', 'text'])
    .where('thingId', ...among(db, given('ids'))),
)

/** The whole texts of things and comments that have one, by id. */
export async function mapFullTexts(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await texts(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ thingId, text }) => [thingId, text]))
}

export const insertFullText = inTransaction.insertInto('fullText')

export const deleteFullText = inTransaction.deleteFrom('fullText', 'thingId')

/** Removes the whole texts of a thing and of its comments, before those go. */
export async function deleteFullTexts(
  db: Transaction,
  { targetType, targetId }: { targetType: string; targetId: string },
): Promise<void> {
  const comments = db
    .selectFrom('comment')
    .select('id')
    .where((e) => e.and({ targetType, targetId }))
  await db
    .deleteFrom('fullText')
    .where((e) => e.or([e('thingId', '=', targetId), e('thingId', 'in', comments)]))
    .execute()
}
