// The publishing rate: so many successful uploads an account and hour, admins exempt (interface.md, section 8).
import { Problem } from '../../../contract/problem.ts'
import type { Db, Transaction } from '../../../database/schema.ts'
import type { Caller } from '../../../handler.ts'
import { after, latest } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { UPLOADS, UPLOADS_WINDOW_SECONDS } from '../rules.ts'
import { deleteUploadsBefore, insertUpload, listUploads, lockUploader } from './queries.ts'

const windowStart = (now: string) => after(now, -UPLOADS_WINDOW_SECONDS)

/** Throws `rate_limited` when the account has used up its uploads. Asked before a file is read; it promises nothing. */
export async function assertRoom(db: Db, caller: Caller, now: string): Promise<void> {
  if (caller.role === 'admin') return
  const uploads = await listUploads(db, caller.id, { since: windowStart(now), until: latest(now), limit: UPLOADS })
  const oldest = uploads[UPLOADS - 1]
  if (oldest === undefined) return
  const milliseconds = Date.parse(oldest) + UPLOADS_WINDOW_SECONDS * 1000 - Date.parse(now)
  throw new Problem('rate_limited', `At most ${UPLOADS} uploads an hour; try again later`, {
    retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
  })
}

/** Counts an upload in the transaction that makes it succeed; uploads of one account then come one after the other. */
export async function countUpload(db: Transaction, caller: Caller, now: string): Promise<void> {
  await lockUploader(db, caller.id)
  await assertRoom(db, caller, now)
  await insertUpload(db, { id: newId(), accountId: caller.id, at: now })
}

/** Forgets uploads that no longer count. */
export const deleteOldUploads = (db: Db, now: string): Promise<void> => deleteUploadsBefore(db, windowStart(now))
