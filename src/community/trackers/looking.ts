// Looks at a bug and its issue, on both sides, and makes them the same. A delivery only says where to look: what is there is read from the API, so
// that it does not matter in which order deliveries come, how often, and which of them get lost.

import { randomUUID } from 'node:crypto'
import { insertImported, listByNumber } from '../../content/imported/queries.ts'
import { askToLook } from '../../content/tracked/queries.ts'
import type { Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { bugs } from '../bugs/contract.ts'
import { store } from '../bugs/feature.ts'
import { scopeOf } from '../imports/imports.ts'
import { syncComments } from './comments.ts'
import { type IssuePair, saveCommon, syncFields } from './fields.ts'
import { syncLabels } from './labels.ts'
import { takeAsIs } from './meeting.ts'
import { personOf, writerOf } from './people.ts'
import * as queries from './queries.ts'
import { type Common, markIn, printOf } from './rules.ts'
import type { DeliveryNews, Issue, IssueChange } from './service.ts'
import { callAs, nowOf, type Syncing } from './syncing.ts'
import { bodyThere, fieldOf, titleHere, wholeHere, wholeOf } from './texts.ts'

/** In a closed board (content/hiding/rules.ts): a link of that board shows it there. */
const BOARD = 64
/** The clocks of the two sides may differ so far. */
const CLOCKS_SECONDS = 600

/** Looks at what a piece of work names. */
export async function look(syncing: Syncing, key: string, told: readonly DeliveryNews[]): Promise<void> {
  const [kind, id = ''] = key.split(':')
  if (kind === 'issue') return lookAtIssue(syncing, Number(id), told)
  const { db } = syncing.dependencies
  const pair =
    (await queries.findPair(db, { trackerId: syncing.tracker.id, thingId: id })) ?? (await newPair(syncing, id))
  if (!pair) return
  const number = pair.number ?? (await send(syncing, pair))
  if (number !== undefined) await lookAtIssue(syncing, number, told)
}

async function lookAtIssue(syncing: Syncing, number: number, told: readonly DeliveryNews[]): Promise<void> {
  const { db } = syncing.dependencies
  const issue = await syncing.there.issue(number)
  const key = { trackerId: syncing.tracker.id, type: 'bug', sourceId: String(number) } as const
  const pair = await queries.findPairOf(db, key)
  if (!issue?.isOf) return pair && noteGone(syncing, pair)
  const found = pair ?? (await meet(syncing, issue))
  if (!found) return
  const common = parseJson<Common>(found.common)
  const bug = await store.findAny(db, found.thingId)
  await queries.updatePair(db, found, { lookedAt: nowOf(syncing) })
  if (!bug) return close(syncing, { pair: found, common, issue })
  if (!(await isShownThere(syncing, bug)) || common.gone) return
  let changes: Promise<readonly IssueChange[]> | undefined
  const looked: IssuePair = {
    pair: found,
    common,
    bug,
    issue,
    told,
    changes: () => (changes ??= syncing.there.changesOf(number)),
  }
  await syncFields(syncing, looked)
  await syncLabels(syncing, looked)
  await syncComments(syncing, looked)
}

/** Leaves a bug alone whose issue is gone: not where the repository itself is, or has another name. */
async function noteGone(syncing: Syncing, pair: queries.Pair): Promise<void> {
  const { name } = await syncing.there.place()
  if (name.toLowerCase() !== syncing.tracker.nameKey) throw new Error(`The repository is called ${name} by now`)
  const common: Common = { ...parseJson<Common>(pair.common), gone: 'there' }
  await saveCommon(syncing, { pair, common })
}

/** What is gone here is closed there, once: GitHub deletes no issues. Should it come back, its state is new. */
async function close(
  syncing: Syncing,
  { pair, common, issue }: Pick<IssuePair, 'pair' | 'common' | 'issue'>,
): Promise<void> {
  if (pair.thingId.startsWith('refused') || common.state?.[0] === 'gone') return
  if (issue.state === 'open') await syncing.there.updateIssue(issue.number, { state: 'not_planned' })
  common.state = ['gone', printOf('not_planned')]
  await saveCommon(syncing, { pair, common })
}

type StoredBug = NonNullable<Awaited<ReturnType<typeof store.findAny>>>

/** Whether everyone who reads the board of the link sees a bug now: only then anything of it goes there. */
async function isShownThere({ dependencies: { db }, tracker }: Syncing, bug: StoredBug): Promise<boolean> {
  if ((bug.hidden & ~BOARD) !== 0 || (bug.boardId ?? null) !== tracker.boardId) return false
  return (await queries.findWriter(db, bug.authorId))?.blockedAt == null
}

/** A bug that has no issue yet. */
async function newPair(syncing: Syncing, thingId: string): Promise<queries.Pair | undefined> {
  const {
    dependencies: { db },
    tracker,
  } = syncing
  const bug = await store.findAny(db, thingId)
  if (!bug || !(await isShownThere(syncing, bug))) return undefined
  const none = { onId: null, sourceId: null, number: null, triedAt: null, lookedAt: '' }
  const pair = {
    ...none,
    trackerId: tracker.id,
    thingId,
    type: 'bug' as const,
    common: JSON.stringify({ made: 'here' }),
  }
  await queries.insertPair(db, pair)
  return pair
}

/** Makes the issue of a bug, once: before a second attempt, what the first one made is looked for by its mark. */
async function send(syncing: Syncing, pair: queries.Pair): Promise<number | undefined> {
  const {
    dependencies: { db },
    tracker,
    there,
  } = syncing
  const bug = await store.findAny(db, pair.thingId)
  if (!bug || !(await isShownThere(syncing, bug))) return undefined
  const text = await wholeOf(db, bug.id, bug.description)
  const author = required(await queries.findWriter(db, bug.authorId))
  const body = bodyThere(syncing, { type: 'bug', id: bug.id, text, author: author.username, made: 'here' })
  const { madeAs = randomUUID() } = parseJson<Common>(pair.common)
  const lost = pair.triedAt === null ? undefined : await findLost(syncing, { id: bug.id, madeAs, since: pair.triedAt })
  const trying: Common = { made: 'here', madeAs }
  if (!lost) await queries.updatePair(db, pair, { triedAt: nowOf(syncing), common: JSON.stringify(trying) })
  const made = lost ?? (await there.createIssue({ title: bug.title, text: body, madeAs }))
  // What is there is what was sent; where the answer got lost, it may have been changed since.
  const common: Common = { made: 'here', labels: [] }
  if (!lost) {
    common.title = [printOf(bug.title), printOf(made.title)]
    common.text = [printOf(text), printOf(made.text)]
    common.state = [printOf('open'), printOf('open')]
  }
  await queries.updatePair(db, pair, {
    sourceId: String(made.number),
    number: made.number,
    common: JSON.stringify(common),
  })
  await askToLook(db, { trackerId: tracker.id, key: `issue:${made.number}`, now: nowOf(syncing) })
  return made.number
}

function findLost(
  { there, tracker, key }: Syncing,
  { id, madeAs, since }: { id: string; madeAs: string; since: string },
): Promise<Issue | undefined> {
  return there.findLost({
    ...{ madeAs, login: tracker.ownLogin, since: after(since, -CLOCKS_SECONDS) },
    isIt: ({ text, user }) => user?.id === tracker.ownId && markIn(text, key)?.id === id,
  })
}

/** An issue that has no bug yet: one that an import brought, one made from here whose answer got lost, or a new one. */
async function meet(syncing: Syncing, issue: Issue): Promise<queries.Pair | undefined> {
  const {
    dependencies: { db },
    tracker,
    there,
    key,
  } = syncing
  const isOwn = issue.user?.id === tracker.ownId
  const tried = isOwn && issue.madeAs !== undefined ? await findTried(syncing, issue.madeAs) : undefined
  const mark = isOwn ? markIn(issue.text, key) : undefined
  if (mark || tried) {
    const pair = tried ?? (await queries.findPair(db, { trackerId: tracker.id, thingId: mark?.id ?? '' }))
    const place = { sourceId: String(issue.number), number: issue.number }
    if (pair && pair.number === null) {
      await queries.updatePair(db, pair, place)
      return { ...pair, ...place }
    }
    if (pair && issue.state === 'open') await there.updateIssue(issue.number, { state: 'not_planned' })
    return undefined
  }
  const [imported] = (await listByNumber(db, scopeOf(tracker), [issue.number])).filter(({ type }) => type === 'bug')
  if (!imported) return take(syncing, issue)
  return meetImported(syncing, issue, imported.thingId)
}

/** The bug that was to be made there under an id. */
const findTried = async ({ dependencies: { db }, tracker }: Syncing, madeAs: string) =>
  (await queries.listTried(db, tracker.id)).find(({ common }) => parseJson<Common>(common).madeAs === madeAs)

async function meetImported(syncing: Syncing, issue: Issue, thingId: string): Promise<queries.Pair | undefined> {
  const { db } = syncing.dependencies
  const bug = await store.findAny(db, thingId)
  if (!bug) return undefined
  const meeting = { there: syncing.there, bugId: thingId, issue, by: bug.authorId, now: nowOf(syncing) }
  return db.transaction().execute(async (transaction) => {
    const common: Common = { made: 'there', ...(await takeAsIs(transaction, meeting)) }
    const pair = { ...blankPair(syncing, issue), thingId, common: JSON.stringify(common) }
    await queries.insertPair(transaction, pair)
    return pair
  })
}

const blankPair = ({ tracker }: Syncing, { number }: Issue) => ({
  ...{ trackerId: tracker.id, type: 'bug' as const, onId: null, sourceId: String(number), number },
  ...{ triedAt: null, lookedAt: '' },
})

/** Files a bug of an issue, as its author. One that is refused does not come again. */
async function take(syncing: Syncing, issue: Issue): Promise<queries.Pair | undefined> {
  const {
    dependencies: { db },
    tracker,
    board,
  } = syncing
  const whole = wholeHere(syncing, issue.text, { made: 'there' })
  const title = titleHere(issue.title)
  const { text, keep } = fieldOf(whole, 'bug')
  const common: Common = {
    ...{ made: 'there', title: [printOf(title), printOf(issue.title)], text: [printOf(whole), printOf(issue.text)] },
  }
  const pair = { ...blankPair(syncing, issue), thingId: '', common: '' }
  const accountId = issue.user && (await writerOf(syncing, await personOf(syncing, issue.user)))
  const input = { title, description: text, severity: 'medium', ...(board !== undefined && { board }) }
  const made =
    accountId &&
    (await callAs<{ id: string }>(syncing, {
      ...{ accountId, operation: bugs.create, input },
      async keep(transaction: Transaction, { id, number }: { id: string; number: number }) {
        await keep(transaction, { id })
        const asIs = await takeAsIs(transaction, {
          there: syncing.there,
          bugId: id,
          issue,
          by: String(accountId),
          now: nowOf(syncing),
        })
        Object.assign(pair, { thingId: id, common: JSON.stringify({ ...common, ...asIs }) })
        await queries.insertPair(transaction, pair)
        const key = {
          scope: scopeOf(tracker),
          type: 'bug',
          sourceId: `${tracker.name}#${issue.number}`,
          importId: tracker.id,
        }
        await insertImported(transaction, {
          ...key,
          thingId: id,
          number: issue.number,
          ownNumber: number,
          url: issue.url,
        })
      },
    }))
  if (made) return pair
  await queries.insertPair(db, { ...pair, thingId: `refused ${issue.number}`, common: JSON.stringify(common) })
  return undefined
}
