// Mail that comes: what was taken is known for a month, so that the same mail counts once; mails that did not come for a while for a week.
import { sql } from 'kysely'
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import type { Feature } from '../manifest.ts'

const KEEP_SECONDS = 30 * 86_400
const KEEP_COUNTS_SECONDS = 8 * 86_400

async function deleteOld(now: string, { db }: { db: Db }): Promise<void> {
  await deleteUntil(db, { table: 'seenMail', key: 'hash', since: 'seenAt' }, after(now, -KEEP_SECONDS))
  const counts = { table: 'bounce', key: 'id', since: 'updatedAt', where: sql<boolean>`"stoppedAt" is null` } as const
  await deleteUntil(db, counts, after(now, -KEEP_COUNTS_SECONDS))
}

export const mailRepliesFeature = {
  cleanUps: { 'mail-replies': ['hashes of mails that were taken', deleteOld] },
} satisfies Feature
