// Mail that comes: what was taken is known for a month, so that the same mail counts once; mails that did not come for a while for a week.
import { sql } from 'kysely'
import { deleteUntil } from '../../database/expiry.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import type { Feature } from '../manifest.ts'

/** An address for replies is good until the end of its thirtieth day: a mail that was taken is known for longer. */
const KEEP_DAYS = 32
const KEEP_COUNTS_SECONDS = 8 * 86_400

async function deleteOld(now: string, { db, config }: Pick<Dependencies, 'db' | 'config'>): Promise<void> {
  // Reports are taken for as long as the mail that they name is kept.
  const days = Math.max(KEEP_DAYS, config.keptDays.mails + 2)
  await deleteUntil(db, { table: 'seenMail', key: 'hash', since: 'seenAt' }, after(now, -days * 86_400))
  const counts = { table: 'bounce', key: 'id', since: 'updatedAt', where: sql<boolean>`"stoppedAt" is null` } as const
  await deleteUntil(db, counts, after(now, -KEEP_COUNTS_SECONDS))
}

export const mailRepliesFeature = {
  cleanUps: { 'mail-replies': ['hashes of mails that were taken', deleteOld] },
} satisfies Feature
