// Drafts of releases: hidden from everyone but moderators until they are published, with nothing told and nothing closed.
import { record } from '../../audit/audit.ts'
import { placingFor } from '../../content/board-access/boards.ts'
import { hiddenBy, isDraft, isInClosedBoard, maySee } from '../../content/hiding/rules.ts'
import { followBecause, recordCreated } from '../../content/notifications/events.ts'
import type { Store } from '../../content/store/queries.ts'
import { publish } from '../../content/subjects/publication.ts'
import { writtenBy } from '../../content/via.ts'
import { Problem } from '../../contract/problem.ts'
import { nextNumber } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { updatePending } from './queries.ts'
import { type Release, release, releaseActions } from './subject.ts'

type Releases = Pick<Store<Release>, 'insert' | 'update' | 'findLockedAny' | 'setHidden' | 'noSuchThing'>

export type ReleaseDraft = Pick<Release, 'title' | 'body' | 'version' | 'date' | 'closes'>

const dayOf = (moment: string) => moment.slice(0, 10)

/** Stores a draft. It has a number, which is found once it is published. */
export async function createDraft(
  context: Context<Caller>,
  releases: Releases,
  { board, ...written }: ReleaseDraft & { board?: string | undefined },
): Promise<Release> {
  const { db, caller, now, budget } = context
  return db.transaction().execute(async (transaction) => {
    const { boardId, hidden } = await placingFor(transaction, board)
    await budget.spend(transaction)
    const made = { id: newId(), number: await nextNumber(transaction), authorId: caller.id }
    const draft = { ...written, ...made, createdAt: now, editedAt: null }
    await releases.insert(transaction, { ...draft, ...writtenBy(caller), ...(boardId !== null && { boardId }) })
    const row = required(await releases.findLockedAny(transaction, draft.id))
    await releases.setHidden(transaction, row, hiddenBy.draft | hidden)
    return draft
  })
}

/** Publishes a draft as of now; `pendingOf` gives what it is to close, or throws. */
export function publishDraft(
  context: Context<Caller>,
  releases: Releases,
  { id, pendingOf }: { id: string; pendingOf: (db: Transaction, closes: string) => Promise<readonly object[]> },
): Promise<Release> {
  const { db, caller, now, address } = context
  return db.transaction().execute(async (transaction) => {
    const row = await releases.findLockedAny(transaction, id)
    if (!row || !maySee(caller, row)) throw releases.noSuchThing()
    if (!isDraft(row)) throw new Problem('conflict', row.hidden === 0 ? 'It is published already' : 'It is hidden')
    const date = row.date === dayOf(row.createdAt) ? dayOf(now) : row.date
    const { version, closes, number, authorId, title, body } = row
    const pending = await pendingOf(transaction, closes)
    await releases.update(transaction, id, { date, createdAt: now })
    await releases.setHidden(transaction, row, row.hidden & hiddenBy.board)
    if (pending.length > 0) await updatePending(transaction, id, pending)
    const shown = { id, authorId, createdAt: now, type: release.type, number, url: release.url(row), title, text: body }
    const act = { by: authorId, now, on: { type: release.type, id } }
    await followBecause(transaction, 'followWritten', act)
    const detail = { title, closes }
    await record(transaction, now, {
      action: releaseActions.publish,
      actorId: caller.id,
      targetId: id,
      detail,
      address,
    })
    if (!isInClosedBoard(row)) {
      await publish(transaction, { ...shown, viaClientId: row.viaClientId })
      await recordCreated(transaction, act, body)
    }
    return { id, number, title, body, version, date, closes, authorId, createdAt: now, editedAt: null }
  })
}
