// Removes what is too old: drafts, writes that waited, what undoes merges, evidence, and the log of webhooks.
import { sql } from 'kysely'
import { deleteUntil, inBatches } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'
import { after } from '../runtime/clock.ts'
import { UNDO_SECONDS } from './merging/rules.ts'
import { forgetParts, listOld } from './merging/undo-queries.ts'
import { deleteDeadFiles, deleteOldActs } from './pending/queries.ts'
import { LISTED_SECONDS } from './pending/rules.ts'
import { KEPT_SECONDS } from './webhooks/event-rules.ts'

const DAY_SECONDS = 86_400
const BATCH = 200

/** Removes drafts that did not change for so many days. */
export const deleteOldDrafts = (db: Db, now: string, days: number): Promise<void> =>
  deleteUntil(db, { table: 'formDraft', key: 'id', since: 'updatedAt' }, after(now, -days * DAY_SECONDS))

/** Removes acts that can no longer be made: their files at once, themselves after some weeks. */
export async function deleteOldPending(db: Db, now: string): Promise<void> {
  while ((await deleteDeadFiles(db, now, BATCH)) === BATCH);
  const before = after(now, -LISTED_SECONDS)
  while ((await deleteOldActs(db, before, BATCH)) === BATCH);
}

/** Removes what is kept to undo merges, after 30 days. */
export async function forgetOldMerges(db: Db, now: string): Promise<void> {
  const before = after(now, -UNDO_SECONDS)
  await inBatches(async (limit) => {
    const [oldest] = await listOld(db, before, 1)
    if (!oldest) return 0
    await forgetParts(db, oldest.id, limit)
    return limit
  })
}

/** Removes what was kept of reported things, when no case can need it any more. */
export const deleteOldEvidence = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'evidence', key: 'id', since: 'deleteAt' }, now)

/** Removes subscriptions that have ended, with their log, and events that no agent can go on from any more. */
export async function deleteOldTold(db: Db, now: string): Promise<void> {
  const ends = sql<boolean>`"expiresAt" is not null`
  await deleteUntil(db, { table: 'webhook', key: 'id', since: 'expiresAt', where: ends }, now)
  await deleteUntil(db, { table: 'toldEvent', key: 'id', since: 'createdAt' }, after(now, -KEPT_SECONDS))
}

/** Removes deliveries that were settled and are older than so many days. */
export async function deleteOldDeliveries(db: Db, now: string, days: number): Promise<void> {
  const settled = sql<boolean>`"state" <> 'pending'`
  await deleteUntil(
    db,
    { table: 'webhookDelivery', key: 'id', since: 'createdAt', where: settled },
    after(now, -days * DAY_SECONDS),
  )
}
