// The publishing rate: so many successful uploads an account and hour, admins exempt (interface.md, section 8).
import type { BudgetStanding } from '../../contract/budget.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { after, latest } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { deleteUploadsBefore, insertUpload, listUploads, lockUploader } from '../changing/queries.ts'
import { UPLOADS, UPLOADS_WINDOW_SECONDS } from '../items/rules.ts'

type UploadContext = Pick<Context<Caller>, 'caller' | 'now' | 'budget'>

const windowStart = (now: string) => after(now, -UPLOADS_WINDOW_SECONDS)

/** Throws `rate_limited` when the account has used up its uploads. Asked before a file is read; it promises nothing. */
export async function assertRoom(db: Db, { caller, now }: UploadContext): Promise<BudgetStanding | undefined> {
  if (caller.role === 'admin') return undefined
  const uploads = await listUploads(db, caller.id, { since: windowStart(now), until: latest(now), limit: UPLOADS })
  const oldest = uploads[UPLOADS - 1]
  if (oldest === undefined) return standingOf(uploads.length, secondsUntil(uploads.at(-1) ?? now, now))
  const retryAfterSeconds = secondsUntil(oldest, now)
  throw new Problem('rate_limited', `At most ${UPLOADS} uploads an hour; try again later`, {
    retryAfterSeconds,
    standings: [standingOf(UPLOADS, retryAfterSeconds)],
  })
}

/** Until an upload of this moment counts no more. */
const secondsUntil = (upload: string, now: string) =>
  Math.max(1, Math.ceil((Date.parse(upload) - Date.parse(now)) / 1000) + UPLOADS_WINDOW_SECONDS)

const standingOf = (used: number, resetsInSeconds: number): BudgetStanding => ({
  policy: 'uploads-hour',
  quota: UPLOADS,
  remaining: UPLOADS - used,
  window: { seconds: UPLOADS_WINDOW_SECONDS, resetsInSeconds },
})

/** Counts an upload in the transaction that makes it succeed; uploads of one account then come one after the other. */
export async function countUpload(db: Transaction, publishing: UploadContext): Promise<void> {
  const { caller, now, budget } = publishing
  await lockUploader(db, caller.id)
  const standing = await assertRoom(db, publishing)
  await insertUpload(db, { id: newId(), accountId: caller.id, at: now })
  if (standing) budget.note([{ ...standing, remaining: standing.remaining - 1 }])
}

/** Forgets uploads that no longer count. */
export const deleteOldUploads = (db: Db, now: string): Promise<void> => deleteUploadsBefore(db, windowStart(now))
