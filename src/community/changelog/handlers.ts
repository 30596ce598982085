// Publishing releases. What a release closes is closed right after it is published, each in a transaction of its own.

import { record } from '../../audit/audit.ts'
import { requirePowerIn } from '../../content/board-access/boards.ts'
import type { ThingToClose } from '../../content/edits/closing.ts'
import { editHandlers } from '../../content/edits/handlers.ts'
import { listNumbers } from '../../content/references/queries.ts'
import { listOfNumbers } from '../../content/references/rules.ts'
import { type StoredRow, storeOf } from '../../content/store/queries.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import { createHandler, deleteHandler, readHandlers } from '../../content/subjects/handlers.ts'
import type { ClosableKind } from '../../content/things.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import type { changelog } from './contract.ts'
import { countDrafts, listDrafts, listPending, updatePending } from './queries.ts'
import { type Release, release, releaseActions } from './subject.ts'

export const store = storeOf(release)

const numbersOf = (closes: string) => listOfNumbers(closes) ?? []

/** What the releases of a page close, as far as everybody can see it. */
async function decorate(db: Db, releases: readonly { closes: string }[]) {
  const numbers = [...new Set(releases.flatMap(({ closes }) => numbersOf(closes)))]
  const found = numbers.length > 0 ? await listNumbers(db, numbers) : []
  const things = new Map(found.map(({ number, ...thing }) => [Number(number), { ...thing, number: Number(number) }]))
  return ({ closes }: { closes: string }) => ({
    closed: numbersOf(closes).flatMap((number) => things.get(number) ?? []),
  })
}

/** What a release is to close. Each must be there, have a status, and be one whose status the caller may set. */
async function pendingOf(
  { db, caller, isAgreedTo }: Pick<Context<Caller>, 'db' | 'caller' | 'isAgreedTo'>,
  closes: string,
  releasings: readonly ClosableKind[],
): Promise<ThingToClose[]> {
  const numbers = numbersOf(closes)
  const found = numbers.length > 0 ? await listNumbers(db, numbers) : []
  const byNumber = new Map(found.map((thing) => [Number(thing.number), thing]))
  const pending = numbers.map((number) => {
    const thing = byNumber.get(number)
    const releasing = releasings.find(({ type }) => type === thing?.type)
    if (!thing) throw new Problem('invalid_request', `closes: nothing has the number ${number}`)
    if (!releasing) throw new Problem('invalid_request', `closes: #${number} has no status`)
    if (!releasing.may(caller)) throw new Problem('forbidden', 'Only admins set the status of feature requests')
    return { type: releasing.type, id: thing.id }
  })
  const things = [...new Map(pending.map((one) => [one.id, one])).values()]
  // Closing a thing is a write in its board: what agents may do there counts, as for a write that names the thing.
  const ids = things.map(({ id }) => id)
  if (ids.length > 0 && !isAgreedTo)
    await requirePowerIn(db, { caller, kind: 'posts', wanted: 'write', input: { ids }, isPlaced: false })
  return things
}

/** What an edit adds to what a release closes. What it takes out of that stays closed. */
async function addPending(
  context: Pick<Context<Caller>, 'caller' | 'isAgreedTo'>,
  db: Transaction,
  { before, after, releasings }: { before: StoredRow<Release>; after: Release; releasings: readonly ClosableKind[] },
): Promise<void> {
  const known = new Set(numbersOf(before.closes))
  const added = numbersOf(after.closes).filter((number) => !known.has(number))
  const pending = await pendingOf({ ...context, db }, added.join(), releasings)
  if (before.hidden !== 0 || pending.length === 0) return
  await updatePending(db, before.id, [...(await listPending(db, before.id)), ...pending])
}

/** Closes what a release closes as far as this request waits for it. */
async function closeThose({ db, now }: Context<Caller>, { closes }: Release, releasings: readonly ClosableKind[]) {
  const { closeNext } = await import('../../content/edits/closing.ts')
  const { releases } = await import('./closing.ts')
  for (const _ of numbersOf(closes)) if (!(await closeNext({ db, now }, releasings, releases))) return
}

/** `releasings` are the kinds of things that a release can close. */
export function changelogHandlers(releasings: readonly ClosableKind[]): Handlers<typeof changelog> {
  const reads = readHandlers(store, decorate)
  const { edit, ...history } = editHandlers(store, {
    audit: releaseActions.edit,
    also: (context, db, change) => addPending(context, db, { ...change, releasings }),
  })
  return {
    ...reads,
    async drafts(context, input) {
      const list = { list: ['drafts'], by: { createdAt: '', id: '' } }
      const { items, ...page } = await pageOfRows(input, list, (range) => listDrafts(context.db, range))
      const shown = await Promise.all(items.map(({ id }) => reads.get(context, { id })))
      return { items: shown, ...page, total: await countDrafts(context.db) }
    },
    async publish(context, { id }) {
      const pending = (db: Transaction, closes: string) => pendingOf({ ...context, db }, closes, releasings)
      const { publishDraft } = await import('./drafts.ts')
      const published = await publishDraft(context, store, { id, pendingOf: pending })
      await closeThose(context, published, releasings)
      return published
    },
    async create(context, { draft, ...given }) {
      const pending = await pendingOf(context, given.closes, releasings)
      const { now, address, caller } = context
      const date = given.date || now.slice(0, 10)
      if (draft) return (await import('./drafts.ts')).createDraft(context, store, { ...given, date })
      const create = createHandler(
        store,
        (written: typeof given, { updatedAt: _, ...made }) => ({
          ...{ ...written, date },
          ...{ ...made, editedAt: null },
        }),
        async (db, { id: targetId, title, closes }) => {
          if (pending.length > 0) await updatePending(db, targetId, pending)
          const act = {
            action: releaseActions.publish,
            actorId: caller.id,
            targetId,
            detail: { title, closes },
            address,
          }
          await record(db, now, act)
        },
      )
      const published = await create(context, given)
      await closeThose(context, published, releasings)
      return published
    },
    async edit(context, given) {
      const edited = await edit(context, given)
      await closeThose(context, edited, releasings)
      return edited
    },
    ...history,
    delete: deleteHandler(store),
    vote: voteHandler(store),
    ...commentHandlers(store, release),
  }
}
