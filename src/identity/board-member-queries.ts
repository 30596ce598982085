// Accounts that are invited to boards, by links: a board whose rule says `invited` is open to them (content/board-access/rules.ts).
import { countChanged, sharing } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import type { BoardMemberTable, Db, Transaction } from '../database/schema.ts'

/** Adds an account to the board of its link; one that is there stays, and a board that is gone has none. */
export async function insertBoardMember(db: Transaction, { boardId, userId, createdAt }: BoardMemberTable) {
  // Held until the transaction ends: a deletion of the board waits, and takes this row along.
  const board = await sharing(db, db.selectFrom('board').select('id').where('id', '=', boardId)).executeTakeFirst()
  if (!board) return
  const row = db.insertInto('boardMember').values({ boardId, userId, createdAt })
  await row.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Whether an account is invited to a board. */
export async function isBoardMember(db: Db, { boardId, userId }: Omit<BoardMemberTable, 'createdAt'>) {
  const row = db.selectFrom('boardMember').select('userId').where('boardId', '=', boardId).where('userId', '=', userId)
  return (await row.executeTakeFirst()) !== undefined
}

/** What an invitation says of its board. */
export const findBoardName = (db: Db, id: string) =>
  db.selectFrom('board').select(['slug', 'name']).where('id', '=', id).executeTakeFirst()

const boardsOf = prepared(
  (db, given: Bind<{ userId: string }>) =>
    db.selectFrom('boardMember').select('boardId').where('userId', '=', given('userId')),
  { cached: true },
)

/** The ids of the boards that an account is invited to. */
export const listBoardsOfMember = async (db: Db, userId: string): Promise<string[]> =>
  (await boardsOf(db, { userId })).rows.map(({ boardId }) => boardId)

/** Those who are invited to a board, the newest first. */
export function listBoardMembers(
  db: Db,
  boardId: string,
  { after, offset, limit }: { after?: readonly unknown[]; offset: number; limit: number },
) {
  const [at = '', id = ''] = (after ?? []).map(String)
  return db
    .selectFrom('boardMember')
    .innerJoin('user', 'user.id', 'boardMember.userId')
    .select(['user.id', 'user.username', 'user.name', 'boardMember.createdAt'])
    .where('boardMember.boardId', '=', boardId)
    .$if(after !== undefined, (rows) =>
      rows.where((e) =>
        e.or([
          e('boardMember.createdAt', '<', at),
          e.and([e('boardMember.createdAt', '=', at), e('boardMember.userId', '<', id)]),
        ]),
      ),
    )
    .orderBy('boardMember.createdAt', 'desc')
    .orderBy('boardMember.userId', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Takes an account out of a board; false where it is not in it. */
export async function deleteBoardMember(db: Transaction, { boardId, userId }: Omit<BoardMemberTable, 'createdAt'>) {
  const row = db.deleteFrom('boardMember').where('boardId', '=', boardId).where('userId', '=', userId)
  return (await countChanged(row)) > 0
}

/** Takes all accounts out of a board that is deleted. */
export async function deleteBoardMembers(db: Transaction, boardId: string): Promise<void> {
  await db.deleteFrom('boardMember').where('boardId', '=', boardId).execute()
}
