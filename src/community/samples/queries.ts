// Which things are sample data, and what members did with them.
import { locking } from '../../database/engine.ts'
import type { Db, SampleTable, Transaction } from '../../database/schema.ts'
import { voteId } from '../../database/vote-ids.ts'

export async function insertSample(db: Transaction, sample: SampleTable): Promise<void> {
  await db.insertInto('sample').values(sample).execute()
}

const all = (db: Db) => db.selectFrom('sample').select(['thingId', 'type', 'fingerprint']).orderBy('thingId')

/** All of it, locked: of two who remove it at once, the second finds none. */
export const lockSamples = (db: Transaction): Promise<SampleTable[]> => locking(db, all(db)).execute()

export async function countSamples(db: Db): Promise<number> {
  return (await all(db).execute()).length
}

export async function deleteSamples(db: Transaction): Promise<void> {
  await db.deleteFrom('sample').execute()
}

/** Whether members voted or commented on a thing, or an agent suggests something for it; hidden ones count, too. */
export async function isTouched(db: Db, thingId: string): Promise<boolean> {
  const found = await Promise.all([
    db.selectFrom('vote').select('targetId').where('targetId', '=', voteId(db, thingId)).limit(1).executeTakeFirst(),
    db.selectFrom('comment').select('id').where('targetId', '=', thingId).limit(1).executeTakeFirst(),
    db.selectFrom('suggestion').select('id').where('targetId', '=', thingId).limit(1).executeTakeFirst(),
    db.selectFrom('threadState').select('id').where('id', '=', thingId).limit(1).executeTakeFirst(),
  ])
  return found.some((one) => one !== undefined)
}
