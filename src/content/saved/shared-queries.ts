// Filters that are shared in boards as they are stored.
import { countChanged, countRows, lockName } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, SharedFilterTable, Transaction } from '../../database/schema.ts'
import { FIRST_BOARD } from '../board-access/rules.ts'
import { MAX_SHARED } from './rules.ts'

const shown = ['id', 'name', 'path', 'createdAt'] as const

const ofBoard = prepared(
  (db, given: Bind<{ boardId: string }>) =>
    db
      .selectFrom('sharedFilter')
      .select(shown)
      .where('boardId', '=', given('boardId'))
      .orderBy('name')
      .orderBy('id')
      .limit(MAX_SHARED),
  { cached: true },
)
const ofFirst = prepared(
  (db, _given: Bind<object>) =>
    db
      .selectFrom('sharedFilter')
      .select(shown)
      .where('boardId', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .limit(MAX_SHARED),
  { cached: true },
)

/** All of a board, by name. */
export const listShared = async (db: Db, boardId: string | null) =>
  boardId === null ? (await ofFirst(db, {})).rows : (await ofBoard(db, { boardId })).rows

/** Makes the changes of a board's filters come one after the other, and gives how many it has. */
export async function countLocked(db: Transaction, boardId: string | null): Promise<number> {
  await lockName(db, `shared-filters ${boardId ?? FIRST_BOARD}`)
  return countRows(db.selectFrom('sharedFilter').where('boardId', boardId === null ? 'is' : '=', boardId))
}

/** Gives the filter of a path its name; undefined where the board does not have the path. */
export const renameShared = (
  db: Transaction,
  { boardId, path, name }: Pick<SharedFilterTable, 'boardId' | 'path' | 'name'>,
) =>
  db
    .updateTable('sharedFilter')
    .set({ name })
    .where('boardId', boardId === null ? 'is' : '=', boardId)
    .where('path', '=', path)
    .returning(shown)
    .executeTakeFirst()

export const insertShared = inTransaction.insertInto('sharedFilter')

/** Gives what was removed; undefined where the board has no such filter. */
export const deleteShared = (db: Transaction, { id, boardId }: Pick<SharedFilterTable, 'id' | 'boardId'>) =>
  db
    .deleteFrom('sharedFilter')
    .where('id', '=', id)
    .where('boardId', boardId === null ? 'is' : '=', boardId)
    .returning('name')
    .executeTakeFirst()

/** Takes an account out of up to `limit` filters that it shared; gives how many. */
export function forgetSharer(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('sharedFilter').select('id').where('userId', '=', userId).limit(limit)
  return countChanged(db.updateTable('sharedFilter').set({ userId: null }).where('id', 'in', some))
}
