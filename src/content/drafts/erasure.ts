// The erasure of an account's drafts of forms, and of drafts that are old.
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { after } from '../../runtime/clock.ts'
import { deleteDraftsOf } from './queries.ts'
import { KEPT_SECONDS } from './rules.ts'

export const draftErasure: ErasureStep = {
  name: 'drafts',
  part: 'account',
  clears: ['formDraft.userId'],
  erase: async ({ db }, { id }) => (await deleteDraftsOf(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
}

export const deleteOldDrafts = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'formDraft', key: 'id', since: 'updatedAt' }, after(now, -KEPT_SECONDS))
