// Answers that are kept, and what a day used up.
import { deleteUntil } from '../../database/expiry.ts'
import type { Db, MachineAnswerTable } from '../../database/schema.ts'

/** The kept answer to a question. */
export const findAnswer = (db: Db, key: string, now: string) =>
  db
    .selectFrom('machineAnswer')
    .select(['text', 'createdAt'])
    .where('key', '=', key)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Keeps an answer, in the place of an older one. */
export async function upsertAnswer(db: Db, row: MachineAnswerTable): Promise<void> {
  const { key: _, ...changes } = row
  await db
    .insertInto('machineAnswer')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
    .execute()
}

interface Use {
  day: string
  tokens: number
}

/** Takes tokens of a day; false where that has fewer left of `most`. */
export async function takeTokens(db: Db, { day, tokens, most }: Use & { most: number }): Promise<boolean> {
  if (tokens > most) return false
  await db
    .insertInto('machineDay')
    .values({ day, tokens: 0 })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('machineDay')
    .set((row) => ({ tokens: row('tokens', '+', tokens) }))
    .where('day', '=', day)
    .where('tokens', '<=', most - tokens)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Adds tokens to what a day used up; fewer than none gives some back. */
export async function addTokens(db: Db, { day, tokens }: Use): Promise<void> {
  await db
    .updateTable('machineDay')
    .set((row) => ({ tokens: row('tokens', '+', tokens) }))
    .where('day', '=', day)
    .execute()
}

/** Removes answers whose time is over, and days before one. */
export async function deleteExpired(db: Db, { now, before }: { now: string; before: string }): Promise<void> {
  await deleteUntil(db, { table: 'machineAnswer', key: 'key', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'machineDay', key: 'day', since: 'day' }, before)
}
