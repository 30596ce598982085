// Publishing releases. What a release closes is closed right after it is published, each in a transaction of its own.
import { record } from '../../audit/audit.ts'
import { editHandlers } from '../../content/edits/handlers.ts'
import type { Releasing } from '../../content/edits/releasing.ts'
import { listNumbers } from '../../content/references/queries.ts'
import { listOfNumbers } from '../../content/references/rules.ts'
import {
  commentHandlers,
  createHandler,
  deleteHandler,
  readHandlers,
  voteHandler,
} from '../../content/subject-handlers.ts'
import { storeOf } from '../../content/subject-queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { closeNext, type Pending } from './closing.ts'
import type { changelog } from './contract.ts'
import { updatePending } from './queries.ts'
import { release, releaseActions } from './subject.ts'

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
  { db, caller }: Context<Caller>,
  closes: string,
  releasings: readonly Releasing[],
): Promise<Pending[]> {
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
  return [...new Map(pending.map((one) => [one.id, one])).values()]
}

/** `releasings` are the kinds of things that a release can close. */
export function changelogHandlers(releasings: readonly Releasing[]): Handlers<typeof changelog> {
  return {
    ...readHandlers(store, decorate),
    async create(context, given) {
      const pending = await pendingOf(context, given.closes, releasings)
      const { now, address, caller } = context
      const create = createHandler(
        store,
        (written: typeof given, { updatedAt: _, ...made }) => ({
          ...{ ...written, date: written.date ?? now.slice(0, 10) },
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
      for (let closed = 0; closed < pending.length; closed++) await closeNext({ db: context.db, now }, releasings)
      return published
    },
    ...editHandlers(store, { audit: releaseActions.edit }),
    delete: deleteHandler(store),
    vote: voteHandler(store),
    ...commentHandlers(store, release),
  }
}
