// What happens when an operation that subjects share is called. By then the caller is known, not blocked and allowed, and the
// input is parsed: a handler only decides and remembers.
import type { z } from 'zod'
import type { Via, VoteValue } from '../../contract/fields.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { keysOf, recordOf } from '../../contract/records.ts'
import { nextNumber } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import type { AboutField, Filters as AboutFilters, VersionNamed } from '../about/about.ts'
import { deleteFeedback } from '../about/queries.ts'
import { boardSeenIn, placingFor, slugsOf } from '../board-access/boards.ts'
import { noteText } from '../classifier/classifier.ts'
import { deleteComments } from '../comment-rows/queries.ts'
import { hiddenBy, isDraft, maySee, stateOf } from '../hiding/rules.ts'
import { isHeld, useProofOfFirst } from '../holding/holding.ts'
import { deleteFullTexts } from '../imported/queries.ts'
import { addFullTexts, originOf } from '../imported/whole-texts.ts'
import { forwarded } from '../merged/queries.ts'
import { hasReports } from '../merging/flood-queries.ts'
import { removeMerged } from '../merging/removal.ts'
import { followBecause, recordCreated, recordGone } from '../notifications/events.ts'
import { openCaseOfNew } from '../reports/cases.ts'
import { recordModeration } from '../reports/moderation.ts'
import { aboutOf, lockPermitted } from '../store/permitted.ts'
import type { ConcernedStore, Entry, Store, StoredRow } from '../store/queries.ts'
import { type Can, isOneOf, type OwnedThing, permissionsOf, type Subject } from '../subject.ts'
import { deleteSuggestionsOn } from '../suggestions/queries.ts'
import { attachImages } from '../text-images/queries.ts'
import { deleteThreads, threadsOf } from '../threads/queries.ts'
import { tellReferences } from '../threads/references.ts'
import { type ViaColumn, viaOf, writtenBy } from '../via.ts'
import { deleteVotes, myVotes } from '../votes/queries.ts'
import { publish, withdraw } from './publication.ts'

type Vote = z.output<typeof VoteValue>

/** What a caller sees of an entry beside what is stored. */
export interface CallerFields<Action extends string> {
  via: Via
  myVote: Vote
  url: string
  can: Can<Action>
}

/** Entries as a caller sees them. Each is put together once: a page has up to a hundred. */
export async function shownTo<Thing extends OwnedThing & ViaColumn & { id: string }, Action extends string>(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  subject: Pick<Subject<FeedKind, string, Action>, 'permissions'> & { url(thing: NoInfer<Thing>): string },
  things: readonly Thing[],
): Promise<(Omit<Thing, 'viaClientId'> & CallerFields<Action>)[]> {
  const { db, caller } = context
  const [myVote, via] = await Promise.all([myVotes(db, caller, things), viaOf(context, things)])
  const can = permissionsOf(subject, caller)
  return things.map((thing) => {
    const { viaClientId, ...shown } = thing
    const more = { via: via({ viaClientId }), myVote: myVote(thing), url: subject.url(thing), can: can(thing) }
    return { ...shown, ...more }
  })
}

/** `decorate` adds what only this subject shows. */
export function readHandlers<Thing extends BaseRecord, Action extends string, More extends object = object>(
  store: ConcernedStore<Thing, string, Action>,
  decorate?: (db: Db, entries: readonly Entry<Thing>[]) => Promise<(entry: Entry<Thing>) => More>,
) {
  const complete = async (context: Context, entries: readonly Entry<Thing>[]) => {
    // Each is waited for: one that fails while no other does must not end the process.
    const [shown, ...fields] = await Promise.all([
      shownTo<Entry<Thing>, Action>(context, store.subject, entries),
      store.subject.thread && threadsOf(context.db, entries),
      store.concerning?.of(context, entries),
    ])
    const more = await decorate?.(context.db, entries)
    await sayBoards(context.db, shown)
    for (const of of fields) if (of) for (const entry of shown) Object.assign(entry, of(entry))
    if (more) for (const [at, entry] of shown.entries()) Object.assign(entry, more(required(entries[at])))
    return shown as (Entry<Thing> & CallerFields<Action> & More)[]
  }
  return {
    async list(context: Context, input: Parameters<typeof store.page>[1] & AboutFilters) {
      const wanted = (await store.concerning?.filter(context, input)) ?? input
      const { items, ...page } = await store.page(context.db, wanted)
      return { items: await complete(context, items), ...page }
    },
    async get(context: Context, { id }: { id: string }) {
      return forwarded(context.db, id, async (to) => {
        const { hidden, authorBlockedAt, ...found } = await store.get(context.db, to)
        const state = stateOf({ hidden, authorBlockedAt })
        const thing = found as Entry<Thing>
        const { authorId, boardId = null } = thing
        if (!maySee(context.caller, { hidden, authorBlockedAt, authorId, boardId })) throw store.noSuchThing()
        const [entry] = await complete(context, [thing])
        const shown = { ...required(entry), ...(await originOf(context.db, to)) }
        await addFullTexts(context.db, [shown], [store.subject.text(thing).text])
        return state ? { ...shown, can: hiddenPermissions(shown.can, { hidden }), state } : shown
      })
    },
  }
}

/** Says the board of each entry by its slug; nothing of the first one. */
async function sayBoards(db: Db, entries: { boardId?: string | null; board?: string }[]): Promise<void> {
  const isElsewhere = entries.some(({ boardId }) => boardId != null)
  const slugOf = isElsewhere ? await slugsOf(db) : undefined
  for (const entry of entries) {
    const board = slugOf?.(entry)
    delete entry.boardId
    if (board !== undefined) entry.board = board
  }
}

/** How many things a list has under each value of its filters. */
export const countsHandler = (store: Pick<Store<never>, 'counts'>) => ({
  async counts({ db }: Context, input: Parameters<typeof store.counts>[1]) {
    return { counts: await store.counts(db, input) }
  },
})

/** What is hidden can be deleted, and nothing else; a draft can be edited. */
const hiddenPermissions = <Action extends string>(can: Can<Action>, concealed: { hidden: number }): Can<Action> =>
  isDraft(concealed) ? can : recordOf(keysOf(can), (name) => name === 'delete' && can[name])

interface NewThing {
  board?: string | undefined
  about?: VersionNamed | undefined
}

interface BaseRecord {
  id: string
  authorId: string
  createdAt: string
}

interface NumberedRecord extends BaseRecord {
  number: number
}

/** `make` gives the new thing; `also` is done in its transaction. */
export const createHandler =
  <Thing extends NumberedRecord, Input extends object>(
    store: ConcernedStore<Thing, string, string>,
    make: (given: Input, made: NumberedRecord & { updatedAt: string }) => Thing,
    also?: (db: Transaction, thing: Thing, context: Context<Caller>) => Promise<void>,
  ) =>
  async (context: Context<Caller>, { board, about, ...input }: Input & NewThing): Promise<Thing & AboutField> => {
    const { db, caller, now, budget } = context
    const given = input as unknown as Input
    const made = { id: newId(), authorId: caller.id, createdAt: now, updatedAt: now }
    const { type, ...subject } = store.subject
    return db.transaction().execute(async (transaction) => {
      const { boardId, hidden: inBoard } = await placingFor(transaction, board)
      await useProofOfFirst(context, transaction)
      await budget.spend(transaction)
      const number = await nextNumber(transaction)
      const thing = make(given, { ...made, number })
      const written = writtenBy(caller)
      await store.insert(transaction, { ...thing, ...written, ...(boardId !== null && { boardId }) })
      if (about) await store.concerning?.put(context, transaction, { id: thing.id, about })
      const { id, authorId, createdAt } = thing
      const shown = { id, authorId, createdAt, type, number, url: subject.url(thing), ...written }
      const { title, text } = subject.text(thing)
      await attachImages(transaction, { thingId: id, by: authorId, texts: [text] })
      const act = { by: authorId, now, on: { type, id } }
      const isHeldBack = await isHeld(context, transaction, [title, text])
      // Locks are taken in one order: what is hidden is followed before its rows are locked.
      const follow = async () => store.follow && followBecause(transaction, 'followWritten', act)
      if (isHeldBack) await follow()
      if (isHeldBack || inBoard !== 0) {
        const why = inBoard | (isHeldBack ? hiddenBy.hold : 0)
        await store.setHidden(transaction, required(await store.findLockedAny(transaction, id)), why)
      }
      if (isHeldBack) await openCaseOfNew(transaction, { type, id, authorId, now })
      else {
        if (inBoard === 0) await publish(transaction, { ...shown, title, text })
        await recordCreated(transaction, act, text)
        if (inBoard === 0) await noteText(context, transaction, { type, id })
        if (inBoard === 0)
          await tellReferences(transaction, text, {
            actorId: authorId,
            createdAt: now,
            ...written,
            fromId: id,
            commentId: null,
          })
      }
      if (!isHeldBack) await follow()
      await also?.(transaction, thing, context)
      return { ...thing, ...(about && (await aboutOf(context, transaction, { store, thing }))) }
    })
  }

const forbidden = () => new Problem('forbidden', 'Forbidden')

/** Removes a thing that is locked, with everything that is on it and was told of it, in the order of the capabilities. */
export async function removeThing<Thing extends BaseRecord>(
  db: Transaction,
  store: Store<Thing>,
  { row, now }: { row: StoredRow<Thing>; now: string },
): Promise<void> {
  const { id } = row
  const on = { targetType: store.subject.type, targetId: id }
  await store.remove(db, row)
  const pending = await removeMerged(db, on, now)
  await deleteVotes(db, id)
  await deleteFullTexts(db, on)
  if (store.subject.parent) await deleteComments(db, on)
  await deleteSuggestionsOn(db, id)
  if (store.subject.thread) await deleteThreads(db, [id])
  if (store.subject.about) await deleteFeedback(db, [id])
  await withdraw(db, id, pending)
  await recordGone(db, { type: on.targetType, id, isSeen: row.hidden === 0, board: boardSeenIn(row) }, now)
}

export const deleteHandler =
  <Thing extends BaseRecord>(store: Store<Thing, string, 'delete'>) =>
  async (context: Context<Caller>, { id, reason }: { id: string; reason: string | null }): Promise<{ id: string }> => {
    const { text, audit } = store.subject
    await context.db.transaction().execute(async (transaction) => {
      const row = await lockPermitted(store, { db: transaction, id, action: 'delete', caller: context.caller })
      // What others reported is in it.
      if (!isOneOf(['moderator'], context.caller, row) && (await hasReports(transaction, row))) throw forbidden()
      await removeThing(transaction, store, { row, now: context.now })
      const { title } = text(row)
      await recordModeration(transaction, context, { action: audit.delete, on: row, reason, detail: { title } })
    })
    return { id }
  }
