// Handlers that edit, close and reopen a thing. The thing is locked, so its history has every change once.

import type { AuditAction } from '../../contract/audit.ts'
import type { ClosingRule } from '../../contract/capabilities.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { indexText } from '../../database/search.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { changeSearch } from '../../search/indexing.ts'
import type { AboutField, VersionNamed } from '../about/about.ts'
import { noteEdit } from '../classifier/classifier.ts'
import { updateEntry } from '../entries/entries.ts'
import { isDraft, isInClosedBoard } from '../hiding/rules.ts'
import { assertMayLink } from '../holding/holding.ts'
import { deleteFullText } from '../imported/queries.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import { findMerged, forwarded, withMerged } from '../merged/queries.ts'
import { recordEdited, recordStatus } from '../notifications/events.ts'
import { recordModeration } from '../reports/moderation.ts'
import { aboutOf, lockPermitted } from '../store/permitted.ts'
import type { Changes, ConcernedStore, Store, StoredRow } from '../store/queries.ts'
import type { RecordSchema } from '../subject.ts'
import { attachImages } from '../text-images/queries.ts'
import {
  assertSeen,
  changesOf,
  historyOf,
  momentAfter,
  recordRevision,
  recordStatusChange,
  revisionPage,
  statusChangePage,
  textsAfter,
  type Writer,
} from './edits.ts'

interface Editable {
  id: string
  authorId: string
  createdAt: string
  editedAt: string | null
}

interface EditInput {
  id: string
  about?: VersionNamed | null | undefined
  reason: string | null
  seenEditedAt?: string | null | undefined
  title?: string | undefined
}

interface PageInput {
  id: string
  page: number
  per_page: number
}

/** A thing that was merged keeps its own history, which shows while its target does. */
const historyWithMerged = (store: Pick<Store<object>, 'getRow'>, db: Db, id: string) =>
  forwarded(db, id, async (to) => {
    const row = await store.getRow(db, to)
    return to === id ? historyOf(row) : historyOf((await findMerged(db, id)) ?? row)
  })

interface EditOptions<Thing> {
  audit: AuditAction
  /** What else changes. */
  updated?: (now: string) => Readonly<Record<string, string>>
  /** Done in the transaction of the edit. */
  also?: (
    context: Context<Caller>,
    db: Transaction,
    change: { before: StoredRow<Thing>; after: StoredRow<Thing> },
  ) => Promise<void>
}

/** Gives the record of a row. */
const recordOfRow = <Thing extends Editable>({ record }: { record: RecordSchema }, row: StoredRow<Thing>): Thing => {
  const thing = { ...row }
  for (const name of Object.keys(row)) if (!Object.hasOwn(record.shape, name)) Reflect.deleteProperty(thing, name)
  return thing
}

/** Changes the text of a locked thing; gives its record. */
function textEditing<Thing extends Editable, Action extends string>(
  store: Store<Thing, string, Action>,
  { audit, updated = () => ({}), also }: EditOptions<Thing>,
) {
  const { type: targetType, text, url } = store.subject
  const shown = (row: StoredRow<Thing>) => recordOfRow<Thing>(store.subject, row)
  return async (
    context: Context<Caller>,
    transaction: Transaction,
    {
      before,
      given: { id, reason, seenEditedAt, ...texts },
    }: { before: StoredRow<Thing>; given: Omit<EditInput, 'about'> },
  ): Promise<Thing> => {
    const { caller } = context
    const changes = changesOf(before, texts)
    if (!changes) return shown(before)
    assertSeen(before, seenEditedAt)
    await attachImages(transaction, { thingId: id, by: caller.id, texts: Object.values(textsAfter(changes)) })
    if (isDraft(before)) {
      const drafted = { ...before, ...textsAfter(changes) }
      await also?.(context, transaction, { before, after: drafted })
      await store.update(transaction, id, textsAfter(changes))
      return shown(drafted)
    }
    const said = {
      before: Object.values(text(before)),
      after: Object.values(text({ ...before, ...textsAfter(changes) })),
    }
    await assertMayLink(context, transaction, said)
    const now = momentAfter(before, context.now)
    const written = { ...textsAfter(changes), editedAt: now, ...updated(now) }
    const { revisionCount } = historyOf(before)
    await store.update(transaction, id, { ...written, revisionCount: revisionCount + 1 })
    const after = { ...before, ...written }
    await recordRevision(transaction, { caller, now }, { targetType, targetId: id, thingId: id, changes })
    const { title, text: words } = text(after)
    if (words !== text(before).text) await deleteFullText(transaction, id)
    await updateEntry(transaction, id, { title, text: words })
    const isShared = !isInClosedBoard(before)
    if (isShared) await noteEdit(context, transaction, { id, type: targetType, ...said })
    const detail = { changed: Object.keys(changes) }
    await recordModeration(transaction, context, { action: audit, on: before, reason, detail })
    const act = { by: caller.id, now, on: { type: targetType, id } }
    await recordEdited(transaction, act, { text: words, before: text(before).text })
    const { authorId, createdAt, viaClientId } = before
    const made = { authorId, createdAt, viaClientId }
    const document = { id, type: targetType, ...made, title, body: words, url: url(after) }
    await also?.(context, transaction, { before, after })
    if (!isShared) return shown(after)
    const [whole] = await withWholeTexts(transaction, [document])
    await indexText(transaction, { id, type: targetType }, [title, whole?.body ?? words])
    await changeSearch(transaction, { put: await withMerged(transaction, [whole ?? document]) })
    return shown(after)
  }
}

export function editHandlers<Thing extends Editable, Action extends string>(
  store: ConcernedStore<Thing, string, Action | 'edit'>,
  options: EditOptions<Thing>,
) {
  const { type: targetType } = store.subject
  const { audit } = options
  const editText = textEditing(store, options)
  return {
    edit(context: Context<Caller>, { about, ...given }: EditInput): Promise<Thing & AboutField> {
      return context.db.transaction().execute(async (transaction) => {
        const before = await lockPermitted(store, {
          db: transaction,
          id: given.id,
          action: 'edit',
          caller: context.caller,
        })
        await context.budget.spend(transaction)
        if (about !== undefined && (await store.concerning?.put(context, transaction, { id: given.id, about }))) {
          const detail = { changed: ['about'] }
          await recordModeration(transaction, context, { action: audit, on: before, reason: given.reason, detail })
        }
        const thing = await editText(context, transaction, { before, given })
        return { ...thing, ...(await aboutOf(context, transaction, { store, thing })) }
      })
    },
    async revisions(context: Context, { id: targetId, ...input }: PageInput) {
      const { revisionCount: total } = await historyWithMerged(store, context.db, targetId)
      return revisionPage(context, { targetType, targetId, total, ...input })
    },
  }
}

export interface ThingWithStatus extends Editable {
  status: string
  updatedAt: string
}

/** Changes a thing and its `updatedAt`, and records a change of its status; returns the row before. */
export async function decide<Thing extends ThingWithStatus>(
  store: Store<Thing, string, string>,
  { transaction, context, id, changes, reason }: Decision<Thing>,
): Promise<StoredRow<Thing>> {
  const before = await store.lock(transaction, id)
  const { status: from } = before
  const to = 'status' in changes ? String(changes.status) : from
  const { statusChangeCount } = historyOf(before)
  const now = momentAfter(before, context.now)
  const counted = { statusChangeCount: statusChangeCount + (from === to ? 0 : 1) }
  await store.update(transaction, id, { ...changes, ...counted, updatedAt: now })
  if (from !== to) {
    const { type: targetType } = store.subject
    await recordStatusChange(
      transaction,
      { caller: context.caller, now },
      { targetType, targetId: id, from, to, reason },
    )
  }
  return before
}

interface Decision<Thing> {
  transaction: Transaction
  context: Pick<Context<Writer>, 'caller' | 'now'>
  id: string
  changes: Changes<Thing>
  reason: string | null
}

export function statusHandlers<Thing extends ThingWithStatus, Action extends string>(
  store: Store<Thing, string, Action | 'close'>,
  { audit, closing }: { audit: AuditAction; closing: ClosingRule },
) {
  const { open, closed, from } = closing
  return {
    close(
      context: Context<Caller>,
      { id, closed: closes, reason }: { id: string; closed: boolean; reason: string | null },
    ): Promise<{ status: Thing['status'] }> {
      return context.db.transaction().execute(async (transaction) => {
        const { caller, budget } = context
        const { status } = await lockPermitted(store, { db: transaction, id, action: 'close', caller })
        await budget.spend(transaction)
        const isClosed = status === closed
        if (isClosed ? closes : !closes && from.includes(status)) return { status }
        if (!isClosed && !from.includes(status))
          throw new Problem('conflict', `It is ${status}, which a moderator decided`)
        const to = (closes ? closed : open) as Thing['status']
        const before = await decide(store, { transaction, context, id, changes: { status: to }, reason })
        const detail = { from: before.status, to }
        await recordModeration(transaction, context, { action: audit, on: before, reason, detail })
        const act = { by: caller.id, now: context.now, on: { type: store.subject.type, id } }
        await recordStatus(transaction, act, { ...detail, reason })
        return { status: to }
      })
    },
    async statusChanges(context: Context, { id: targetId, ...input }: PageInput) {
      const { statusChangeCount: total } = await historyWithMerged(store, context.db, targetId)
      const { items, ...page } = await statusChangePage(context, { targetId, total, ...input })
      type Status = { from: Thing['status']; to: Thing['status'] }
      return { items: items as (Omit<(typeof items)[number], keyof Status> & Status)[], ...page }
    },
  }
}
