// What things mean, as stored: a vector for each document, made by a machine of the operator. A document that says something else now has none
// that counts, and a vector goes with its document: so none is of what is hidden, private or in a closed board.
import type { SearchType } from '../contract/kinds.ts'
import { among, locking } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import type { Db, MeaningTable, Transaction } from '../database/schema.ts'

const texts = ['id', 'type', 'title', 'body'] as const

/** Documents of a type without a meaning, the newest first. */
export const listUnmeant = (db: Db, { type, limit }: { type: SearchType; limit: number }) =>
  db
    .selectFrom('searchDocument')
    .select(texts)
    .where('type', '=', type)
    .where('meantBy', 'is', null)
    .orderBy('rowId')
    .limit(limit)
    .execute()

/** The texts of documents that are still there, which stay so until the transaction ends. */
export const lockTexts = (db: Transaction, ids: readonly string[]) =>
  locking(
    db,
    db
      .selectFrom('searchDocument')
      .select(texts)
      .where('id', ...among(db, JSON.stringify(ids)))
      .orderBy('id'),
  ).execute()

/** Stores meanings of one space, in the place of older ones. */
export async function upsertMeanings(db: Transaction, rows: readonly MeaningTable[], space: string): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('meaning')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({ space: ref('excluded.space'), vector: ref('excluded.vector') })),
    )
    .execute()
  await updateMeantBy(
    db,
    rows.map(({ id }) => id),
    space,
  )
}

const updateMeantBy = (db: Transaction, ids: readonly string[], meantBy: string | null) =>
  db
    .updateTable('searchDocument')
    .set({ meantBy })
    .where('id', ...among(db, JSON.stringify(ids)))
    .execute()

/** Removes some of the meanings of other spaces than this; gives how many. */
export async function deleteMeaningsBeside(db: Transaction, space: string, limit: number): Promise<number> {
  const ids: string[] = []
  for (const side of ['<', '>'] as const) {
    const others = db
      .selectFrom('meaning')
      .select('id')
      .where('space', side, space)
      .limit(limit - ids.length)
    if (ids.length < limit) ids.push(...(await others.execute()).map(({ id }) => id))
  }
  if (ids.length === 0) return 0
  const some = await lockTexts(db, ids)
  await db
    .deleteFrom('meaning')
    .where('id', ...among(db, JSON.stringify(ids)))
    .execute()
  await updateMeantBy(
    db,
    some.map(({ id }) => id),
    null,
  )
  return ids.length
}

const vectors = prepared(
  (db, given: Bind<{ space: string; type: SearchType; before: string; limit: number }>) =>
    db
      .selectFrom('meaning')
      .select(['id', 'vector'])
      .where('space', '=', given('space'))
      .where('type', '=', given('type'))
      .where('id', '<', given('before'))
      .orderBy('id', 'desc')
      .limit(given('limit')),
  { cached: false },
)

/** Vectors of a type, the newest first, from before one. */
export const listVectors = async (db: Db, page: { space: string; type: SearchType; before: string; limit: number }) =>
  (await vectors(db, page)).rows

/** The vector of a thing in a space. */
export async function findVector(db: Db, { id, space }: { id: string; space: string }): Promise<string | undefined> {
  const row = await db
    .selectFrom('meaning')
    .select('vector')
    .where('id', '=', id)
    .where('space', '=', space)
    .executeTakeFirst()
  return row?.vector ?? undefined
}
