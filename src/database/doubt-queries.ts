// Jumps of the clock that are not believed yet, for the process that comes after this one.
import type { DoubtedJump } from '../runtime/believed-time.ts'
import { timestamp } from '../runtime/clock.ts'
import { parseJson } from '../runtime/untyped.ts'
import type { Db } from './schema.ts'

const ONE = 1

/** The jumps, and what the clock showed with them; undefined where there are none. */
export async function findDoubt(db: Db): Promise<{ shown: number; jumps: DoubtedJump[] } | undefined> {
  const row = await db.selectFrom('clockDoubt').select(['at', 'jumps']).where('id', '=', ONE).executeTakeFirst()
  const jumps = row ? parseJson<DoubtedJump[]>(row.jumps) : []
  return row && jumps.length > 0 ? { shown: Date.parse(row.at), jumps } : undefined
}

/** `shown` is what the clock shows, in milliseconds since 1970. */
export async function storeDoubt(db: Db, shown: number, jumps: readonly DoubtedJump[]): Promise<void> {
  const values = { at: timestamp(shown), jumps: JSON.stringify(jumps) }
  await db
    .insertInto('clockDoubt')
    .values({ id: ONE, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}
