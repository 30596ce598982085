// The removal of comments with what they are on, and the counter of replies, which goes along.
import type { Db, Transaction } from '../../database/schema.ts'
import { addToCount, countOf } from '../counters.ts'
import { deleteHistory } from '../edits/queries.ts'
import * as queries from './queries.ts'

interface Target {
  targetType: string
  targetId: string
}

/** Removes every comment on what is going away, and the history of both. */
export async function deleteComments(db: Transaction, on: Target): Promise<void> {
  await queries.deleteComments(db, on)
  await deleteHistory(db, on.targetId)
  const replies = await countReplies(db, on)
  if (replies > 0) await addToCount(db, repliesOf(on), -replies)
}

export const repliesOf = ({ targetType, targetId }: Target) => ({
  kind: 'reply',
  groups: [`${targetType}/${targetId}`],
  facets: [],
})

export const countReplies = (db: Db, { targetType, targetId }: Target): Promise<number> =>
  countOf(db, { kind: 'reply', group: `${targetType}/${targetId}` })
