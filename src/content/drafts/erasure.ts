// The erasure of an account's drafts of forms, and of drafts that are old.
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { clearing } from '../../identity/erasure.ts'
import { after } from '../../runtime/clock.ts'
import { deleteDraftsOf } from './queries.ts'
import { KEPT_SECONDS } from './rules.ts'

export const draftErasure = clearing('drafts', ['formDraft.userId'], deleteDraftsOf)

export const deleteOldDrafts = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'formDraft', key: 'id', since: 'updatedAt' }, after(now, -KEPT_SECONDS))
