// What a thing is, as far as the running call sees it: everybody sees it, or it is in a closed board that the call reads.
import { hasBoards, standingIn } from '../../contract/standing.ts'
import type { Db } from '../../database/schema.ts'
import { findInClosed } from '../board-access/place-queries.ts'
import { findType } from './event-queries.ts'

/** The type of a thing that the running call sees; undefined for any other, as for none. */
export async function findSeenType(db: Db, id: string): Promise<string | undefined> {
  const type = await findType(db, id)
  if (type !== undefined || !hasBoards()) return type
  const found = await findInClosed(db, id)
  return found && standingIn(found.boardId).read ? found.type : undefined
}
