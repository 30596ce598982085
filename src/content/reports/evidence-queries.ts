// What was reported, as the reporter saw it: kept for the case, so that its author cannot take it away by a deletion or an edit. It goes 30 days
// after the last case on it is decided; of an erased account with the decision, and 30 days after the erasure at the latest.
import { sql } from 'kysely'
import { DELETED_USER } from '../../contract/no-account.ts'
import { countChanged } from '../../database/engine.ts'
import type { Db, EvidenceTable, Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'

/** Versions that are kept of a thing: reports of other texts after that keep nothing. */
export const MAX_KEPT = 10

type Evidence = Pick<EvidenceTable, 'title' | 'text' | 'createdAt'>

/** What is kept of a thing, oldest first. */
export const listEvidence = (db: Db, targetId: string): Promise<Evidence[]> =>
  db
    .selectFrom('evidence')
    .select(['title', 'text', 'createdAt'])
    .where('targetId', '=', targetId)
    .orderBy('id')
    .limit(MAX_KEPT)
    .execute()

/** Keeps a thing as it was reported, where that is not kept already. The case on it is open, and locked. */
export async function keepEvidence(
  db: Transaction,
  seen: Omit<EvidenceTable, 'id' | 'waiting' | 'deleteAt'>,
): Promise<void> {
  const kept = await listEvidence(db, seen.targetId)
  if (kept.length >= MAX_KEPT || kept.some(({ title, text }) => title === seen.title && text === seen.text)) return
  await db
    .insertInto('evidence')
    .values({ id: newId(), ...seen, waiting: 1, deleteAt: null })
    .execute()
}

/** Removes some of what is kept of an erased account; what a case waits for loses its name, and goes at `deleteAt` at the latest. Gives how many there were. */
export async function forgetEvidence(
  db: Transaction,
  { authorId, deleteAt, limit }: { authorId: string; deleteAt: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('evidence').select('id').where('authorId', '=', authorId).orderBy('id').limit(limit)
  const changes = { authorId: DELETED_USER, deleteAt }
  const count = await countChanged(db.updateTable('evidence').set(changes).where('id', 'in', some))
  const decided = db.deleteFrom('evidence').where('authorId', '=', DELETED_USER).where('waiting', '=', sql.lit(0))
  await decided.execute()
  return count
}
