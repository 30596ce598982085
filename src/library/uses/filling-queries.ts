// Backfills uses and names of steps for versions published before these were recorded, and finds rows that are shown wrongly.
import type { Db, Transaction } from '../../database/schema.ts'
import { type Name, placed } from './queries.ts'

/** Versions whose names count as uses and should not, or the other way round; some of them. */
export function listWronglyShown(db: Db, limit: number): Promise<{ itemId: string; version: string }[]> {
  return db
    .selectFrom('dependency as named')
    .innerJoin('libraryItem as item', 'item.id', 'named.itemId')
    .select(['named.itemId', 'named.version'])
    .distinct()
    .where((row) =>
      row.or([
        row.and([
          row('named.shown', '=', 1),
          row.or([row('item.listed', '=', 0), row('item.version', '<>', row.ref('named.version'))]),
        ]),
        row.and([
          row('named.shown', '=', 0),
          row('item.listed', '=', 1),
          row('item.version', '=', row.ref('named.version')),
        ]),
      ]),
    )
    .orderBy('named.itemId')
    .orderBy('named.version')
    .limit(limit)
    .execute()
}

/** In the contents of a version that has the names of its steps; no text within them can have it, since its quotes are escaped. */
const WITH_STEPS = '%"stepNames":[%'

/** Items after an id whose current version has no names that were stored in their order, and workflows without names of steps, by id. */
export function listUnread(db: Db, after: string, limit: number) {
  return db
    .selectFrom('libraryItem as item')
    .select(['item.id', 'item.kind', 'item.version', 'item.sha256', 'item.size'])
    .where('item.id', '>', after)
    .where((row) =>
      row.or([
        row.not(
          row.exists(
            row
              .selectFrom('dependency as named')
              .select('named.slug')
              .whereRef('named.itemId', '=', 'item.id')
              .whereRef('named.version', '=', 'item.version')
              .where('named.place', 'is not', null),
          ),
        ),
        row.and([
          row('item.kind', '=', 'workflow'),
          row.exists(
            row
              .selectFrom('versionDetails as details')
              .select('details.version')
              .whereRef('details.itemId', '=', 'item.id')
              .where('details.contents', 'not like', WITH_STEPS),
          ),
        ]),
      ]),
    )
    .orderBy('item.id')
    .limit(limit)
    .execute()
}

/** The versions of a workflow whose steps have no names in what is stored, each with its file. */
export function listNameless(db: Db, itemId: string) {
  return db
    .selectFrom('versionDetails as details')
    .innerJoin('itemVersion as one', (join) =>
      join.onRef('one.itemId', '=', 'details.itemId').onRef('one.version', '=', 'details.version'),
    )
    .select(['one.version', 'one.sha256', 'one.size'])
    .where('details.itemId', '=', itemId)
    .where('details.contents', 'not like', WITH_STEPS)
    .orderBy('one.number')
    .execute()
}

/** Stores the names in a version, except those that are stored already. */
export async function insertMissing(
  db: Transaction,
  { itemId, version, names }: { itemId: string; version: string; names: readonly Name[] },
): Promise<void> {
  const rows = placed(names).map((name) => ({ itemId, version, ...name }))
  await db
    .insertInto('dependency')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['itemId', 'version', 'kind', 'slug'])
        .doUpdateSet((row) => ({ place: row.ref('excluded.place') })),
    )
    .execute()
}
