// The erasure of the things of an account: bugs, feature requests and posts. What its author may delete is removed. Where others have
// answered and the author may not, their answers stay, and the texts of the thing are gone.

import { DELETED_TEXT, DELETED_USER } from '../../contract/no-account.ts'
import type { Transaction } from '../../database/schema.ts'
import { indexText } from '../../database/search.ts'
import { ERASURE_BATCH, type ErasedAccount, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changeAuthor, changeSearch } from '../../search/indexing.ts'
import { reassignEntry, updateEntry } from '../entries/entries.ts'
import { isDraft, isRemoved } from '../hiding/rules.ts'
import { deleteFullText } from '../imported/queries.ts'
import { withMerged } from '../merged/queries.ts'
import { forgetTitle } from '../notifications/erasure-queries.ts'
import { deleteRevisions } from '../rows/revision-queries.ts'
import type { Store, StoredRow } from '../store/queries.ts'
import { forgetTold } from '../webhooks/told-queries.ts'
import { removeThing } from './handlers.ts'

interface Thing {
  id: string
  authorId: string
  createdAt: string
}

/** `texts` are the fields that hold what the author wrote. Its comments are erased before. */
export const thingErasure = <Row extends Thing>(
  store: Store<Row, string, 'delete'>,
  texts: readonly (keyof Row & string)[],
): ErasureStep => ({
  name: `${store.subject.type}s`,
  part: 'content',
  clears: [
    store.subject.table,
    ...(store.subject.labels ? [store.subject.labels.table] : []),
    'feedEntry',
    'searchDocument',
  ].map((table) => `${table}.authorId`),
  async erase({ db, clock }, account) {
    const ids = await store.listIdsOf(db, { authorId: account.id, after: '', limit: ERASURE_BATCH })
    const now = timestamp(clock.now())
    for (const id of ids) {
      await db.transaction().execute(async (transaction) => {
        const row = await store.findLockedAny(transaction, id)
        if (row?.authorId === account.id) await eraseThing(transaction, { store, texts, row, now, account })
      })
    }
    return ids.length === ERASURE_BATCH
  },
})

interface EraseParams<Row extends Thing> {
  store: Store<Row, string, 'delete'>
  texts: readonly (keyof Row & string)[]
  row: StoredRow<Row>
  now: string
  account: ErasedAccount
}

async function eraseThing<Row extends Thing>(db: Transaction, erasing: EraseParams<Row>): Promise<void> {
  const { store, row, now, account } = erasing
  const isDeletable = row.commentCount === 0 || store.subject.permissions.delete.includes('author')
  if (isRemoved(row) || isDraft(row) || (account.content === 'delete' && isDeletable))
    return removeThing(db, store, { row, now })
  if (account.content === 'delete') await blank(db, erasing)
  await store.reassign(db, row, DELETED_USER)
  await reassignEntry(db, row.id, { authorId: DELETED_USER, viaClientId: null })
  await changeAuthor(db, [row.id], { authorId: DELETED_USER, viaClientId: null })
}

/** Takes the texts of a thing away, with those before them. */
async function blank<Row extends Thing>(db: Transaction, { store, texts, row }: EraseParams<Row>): Promise<void> {
  const { type, url, text } = store.subject
  const { id, createdAt } = row
  const changes = Object.fromEntries(texts.map((name) => [name, DELETED_TEXT]))
  await deleteRevisions(db, id)
  await forgetTitle(db, id, DELETED_TEXT)
  await forgetTold(db, id)
  await deleteFullText(db, id)
  const after = { ...row, ...changes }
  await store.update(db, id, { ...changes, revisionCount: 0 })
  if (row.hidden !== 0) return
  const shown = text(after)
  await updateEntry(db, id, shown)
  await indexText(db, { id, type }, [shown.title, shown.text])
  const document = {
    id,
    type,
    authorId: DELETED_USER,
    createdAt,
    title: shown.title,
    body: shown.text,
    url: url(after),
  }
  await changeSearch(db, { put: await withMerged(db, [document]) })
}
