// Replies by mail: what was taken is known for a month, so that the same mail makes one comment.
import { deleteUntil } from '../../database/expiry.ts'
import { after } from '../../runtime/clock.ts'
import type { Feature } from '../manifest.ts'

const KEEP_SECONDS = 30 * 86_400

export const mailRepliesFeature = {
  cleanUps: {
    'mail-replies': [
      'hashes of mails that were taken',
      (now, { db }) => deleteUntil(db, { table: 'seenMail', key: 'hash', since: 'seenAt' }, after(now, -KEEP_SECONDS)),
    ],
  },
} satisfies Feature
