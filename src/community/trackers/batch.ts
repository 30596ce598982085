// One turn of a link: it asks what changed there, where it is time, or looks at what is due. What fails is put off, and holds nothing else up.
import { askToLook, endWork, findWork, putOff } from '../../content/tracked/queries.ts'
import type { TrackerTable, TrackerWorkTable } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { parseJson, toError } from '../../runtime/untyped.ts'
import { MAX_PAGES, Refusal, Rest, Wait } from './asking.ts'
import { look } from './looking.ts'
import * as queries from './queries.ts'
import { POLL_SECONDS, waitSeconds } from './rules.ts'
import type { DeliveryNews } from './service.ts'
import { isClosedHere, nowOf, open, PUBLISH, type Syncing } from './syncing.ts'

/** Bugs that did not change are looked at again all the same, a few at each turn: GitHub may not tell of their comments. */
const MOST_SWEPT = 3
const SWEPT_SECONDS = 3_600
/** A token that is no good is tried again after so long. */
const REFUSED_SECONDS = 300
const UNANSWERED_SECONDS = 30
const MAX_ERROR = 300
/** The clocks of the two sides may differ so far. */
const CLOCKS_SECONDS = 120

type Dependent = Pick<Syncing, 'dependencies' | 'callActing'>

/** Does a little for a link; gives whether there may be more. */
export async function syncBatch(dependent: Dependent, trackerId: string): Promise<boolean> {
  const { db } = dependent.dependencies
  const tracker = await queries.findTracker(db, trackerId)
  const now = nowOf(dependent)
  if (tracker?.state !== 'on' || tracker.restUntil > now) return false
  const syncing = await open(dependent, tracker)
  if (await isClosedNow(syncing)) return false
  const work = await findWork(db, { trackerId, now })
  if (tracker.polledAt <= after(now, -POLL_SECONDS))
    return (await noting(syncing, () => poll(syncing))) || work !== undefined
  if (!work) return false
  await noting(syncing, () => lookAt(syncing, work), work)
  return true
}

/** Pauses a link whose board, or repository, has other readers by now. */
async function isClosedNow(syncing: Syncing): Promise<boolean> {
  const { dependencies, tracker, there } = syncing
  if (tracker.publish === 1 || !(await isClosedHere(dependencies, tracker.boardId))) return false
  let isPublic = true
  const isKnown = await noting(syncing, async () => {
    isPublic = !(await there.place()).isPrivate
  })
  const paused = { state: 'paused', error: PUBLISH, errorAt: nowOf(syncing) } as const
  if (isKnown && isPublic) await queries.updateTracker(dependencies.db, tracker.id, paused)
  return isPublic
}

/** Notes what fails, and until when the other side asks to wait. Gives whether it went well. */
async function noting(syncing: Syncing, run: () => Promise<void>, work?: TrackerWorkTable): Promise<boolean> {
  const {
    dependencies: { db, log },
    tracker,
  } = syncing
  try {
    await run()
  } catch (error) {
    const now = nowOf(syncing)
    const isRest = error instanceof Rest
    const waits = error instanceof Wait ? error : undefined
    const restUntil = isRest && !waits ? error.until : restAfter(error, { now, isAlone: work !== undefined })
    if (work && waits) await putOff(db, { ...work, dueAt: waits.until })
    else if (work && !isRest) {
      const attempts = work.attempts + 1
      await putOff(db, { ...work, attempts, dueAt: after(now, waitSeconds(attempts)) })
    }
    const said = toError(error).message.replaceAll('\0', '').slice(0, MAX_ERROR).toWellFormed()
    await queries.updateTracker(db, tracker.id, {
      restUntil,
      error: said,
      errorAt: now,
      ...(!work && !isRest && { polledAt: now }),
    })
    if (!isRest) log.warn({ err: error, tracker: tracker.name }, 'two ways with a tracker failed; it is tried again')
    return false
  }
  return true
}

/** What is wrong with one bug holds no other one up; where the token is refused, or nothing is answered, the link waits. */
function restAfter(error: unknown, { now, isAlone }: { now: string; isAlone: boolean }): string {
  if (error instanceof Refusal && error.status === 401) return after(now, REFUSED_SECONDS)
  return isAlone ? '' : after(now, UNANSWERED_SECONDS)
}

async function lookAt(syncing: Syncing, work: TrackerWorkTable): Promise<void> {
  const { db } = syncing.dependencies
  await look(syncing, work.key, parseJson<DeliveryNews[]>(work.told))
  const isDone = (await endWork(db, work)) === 1
  // It was asked for again since then.
  if (!isDone) await putOff(db, { ...work, dueAt: nowOf(syncing), attempts: 0 })
  if (syncing.tracker.error !== null)
    await queries.updateTracker(db, syncing.tracker.id, { error: null, errorAt: null, restUntil: '' })
}

/** Has every issue looked at that changed since the last time, and some that did not for long. */
async function poll(syncing: Syncing): Promise<void> {
  const {
    dependencies: { db },
    tracker,
  } = syncing
  const now = nowOf(syncing)
  const found = await changes(syncing, now)
  const since = tracker.polledAt === '' ? tracker.createdAt : after(tracker.polledAt, -CLOCKS_SECONDS)
  for (const number of await syncing.there.commented(since)) {
    await askToLook(db, { trackerId: tracker.id, key: `issue:${number}`, now })
  }
  const long = { trackerId: tracker.id, before: after(now, -SWEPT_SECONDS), limit: MOST_SWEPT }
  for (const { number } of await queries.listLongAgo(db, long)) {
    await askToLook(db, { trackerId: tracker.id, key: `issue:${number}`, now })
  }
  await queries.updateTracker(db, tracker.id, {
    ...found,
    polledAt: now,
    ...(isOfPoll(tracker) && { error: null, errorAt: null }),
  })
}

/** Whether what failed last was a question for changes. */
const isOfPoll = ({ error, errorAt, polledAt }: TrackerTable): boolean => error !== null && errorAt === polledAt

async function changes(
  { dependencies: { db }, there, tracker }: Syncing,
  now: string,
): Promise<{ since: string; etag: string }> {
  let { since } = tracker
  let etag = ''
  let from: string | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await there.changed({ since: tracker.since, from, ...(page === 1 && { etag: tracker.etag }) })
    if (!answer) return { since, etag: tracker.etag }
    for (const { number, isOf } of answer.issues) {
      if (isOf) await askToLook(db, { trackerId: tracker.id, key: `issue:${number}`, now })
    }
    since = answer.issues.at(-1)?.updatedAt ?? since
    if (page === 1) etag = answer.etag
    from = answer.next
    if (from === undefined) break
  }
  // The answer is that to another question once the time moves.
  return { since, etag: since === tracker.since ? etag : '' }
}
