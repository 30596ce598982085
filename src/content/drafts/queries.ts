// Drafts of forms as they are stored. They are read by their account alone.
import type { Selectable } from 'kysely'
import { countChanged, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { plain } from '../../database/rows.ts'
import type { Db, FormDraftTable, Transaction } from '../../database/schema.ts'
import { MAX_DRAFTS } from './contract.ts'

type Draft = Selectable<FormDraftTable>

const ofPage = prepared((db, given: Bind<{ userId: string; path: string }>) =>
  db
    .selectFrom('formDraft')
    .select(['form', 'fields', 'updatedAt'])
    .where('userId', '=', given('userId'))
    .where('path', '=', given('path'))
    .orderBy('form'),
)

export const listDrafts = async (db: Db, of: Pick<Draft, 'userId' | 'path'>) => (await ofPage(db, of)).rows

/** Makes the changes of an account's drafts come one after the other. */
export async function lockDrafts(db: Transaction, userId: string): Promise<void> {
  await locking(db, db.selectFrom('user').select('id').where('id', '=', userId)).execute()
}

/** Stores a draft in place of the one of the same form, and removes the oldest beyond the number that an account may have. */
export async function upsertDraft(db: Transaction, draft: Draft): Promise<void> {
  const { fields, updatedAt } = draft
  await db
    .insertInto('formDraft')
    .values(draft)
    .onConflict((conflict) => conflict.columns(['userId', 'path', 'form']).doUpdateSet({ fields, updatedAt }))
    .execute()
  const kept = db
    .selectFrom('formDraft')
    .select('id')
    .where('userId', '=', draft.userId)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_DRAFTS)
  await db.deleteFrom('formDraft').where('userId', '=', draft.userId).where('id', 'not in', kept).execute()
}

/** Whether there was one. */
export async function deleteDraft(db: Transaction, { userId, path, form }: Pick<Draft, 'userId' | 'path' | 'form'>) {
  const gone = db.deleteFrom('formDraft').where('userId', '=', userId).where('path', '=', path)
  return (await countChanged(gone.where('form', '=', form))) > 0
}

/** Removes up to `limit` drafts of an account; gives how many. */
export const deleteDraftsOf = plain.deleteSome('formDraft', 'userId')
