// Running counts as they are stored.
import type { Transaction } from '../../database/schema.ts'

export async function addToTally(db: Transaction, key: string, delta: number): Promise<void> {
  await db
    .insertInto('tally')
    .values({ key, count: delta })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((tally) => ({ count: tally('tally.count', '+', delta) })),
    )
    .execute()
}
