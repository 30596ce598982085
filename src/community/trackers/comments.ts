// Comments on a bug and its issue: each of one side is on the other, once. What is hidden here is left alone.
import { randomUUID } from 'node:crypto'
import { comments as operations } from '../../content/comments/contract.ts'
import { findImported, insertImported } from '../../content/imported/queries.ts'
import type { Transaction } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { bugs } from '../bugs/contract.ts'
import { scopeOf } from '../imports/imports.ts'
import { type IssuePair, lastEdit } from './fields.ts'
import { recordLost } from './history.ts'
import { actorFor, personOf, writerOf } from './people.ts'
import { readProof } from './proving.ts'
import * as queries from './queries.ts'
import { type Common, isTheirsLater, linkCodeIn, markIn, printOf, verdictOf } from './rules.ts'
import type { Comment } from './service.ts'
import { callAs, nowOf, type Syncing } from './syncing.ts'
import { bodyThere, fieldOf, wholeHere, wholeOf } from './texts.ts'

type OwnComment = Awaited<ReturnType<typeof queries.listCommentsOn>>[number]

/** All of both sides. */
interface Thread {
  looked: IssuePair
  own: Map<string, OwnComment>
  theirs: Map<string, Comment>
  pairs: Map<string, queries.Pair>
}

/** What shows to those who read the board. */
const isShown = ({ hidden, blockedAt }: OwnComment): boolean => (hidden & ~BOARD) === 0 && blockedAt === null
/** In a closed board (content/hiding/rules.ts). */
const BOARD = 64

const commonOf = ({ common }: Pick<queries.Pair, 'common'>): Common => parseJson<Common>(common)

/** Makes the comments of both sides the same. */
export async function syncComments(syncing: Syncing, looked: IssuePair): Promise<void> {
  const { db } = syncing.dependencies
  const { bug, issue, pair } = looked
  const theirs = await syncing.there.comments(issue.number)
  const pairs = await queries.listPairsOn(db, { trackerId: pair.trackerId, onId: bug.id })
  const own = await queries.listCommentsOn(db, bug.id)
  const thread: Thread = {
    looked,
    own: new Map(own.map((comment) => [comment.id, comment])),
    theirs: new Map(theirs.map((comment) => [comment.id, comment])),
    pairs: new Map(pairs.map((one) => [one.thingId, one])),
  }
  const known = new Set(pairs.map(({ sourceId }) => sourceId))
  for (const comment of theirs) if (!known.has(comment.id)) await meet(syncing, thread, comment)
  for (const one of thread.pairs.values()) await syncPair(syncing, thread, one)
  for (const comment of own) if (!thread.pairs.has(comment.id) && isShown(comment)) await send(syncing, thread, comment)
}

/** A comment there that is not known here: ours, whose answer got lost, or a new one. */
async function meet(syncing: Syncing, thread: Thread, comment: Comment): Promise<void> {
  const { db } = syncing.dependencies
  const isOwn = comment.user?.id === syncing.tracker.ownId
  const id = isOwn ? (triedAs(thread, comment.id) ?? markedAs(syncing, comment)) : undefined
  if (id === undefined) {
    const code = isOwn ? undefined : linkCodeIn(comment.text)
    if (code !== undefined) return takeProof(syncing, thread, { comment, code })
    if (!(await meetImported(syncing, thread, comment))) await take(syncing, thread, comment)
    return
  }
  const pair = thread.pairs.get(id)
  if (pair?.sourceId == null && thread.own.has(id)) {
    const met = { ...(pair ?? pairOf(syncing, thread, id)), sourceId: comment.id }
    if (pair) await queries.updatePair(db, pair, { sourceId: met.sourceId })
    else await queries.insertPair(db, met)
    thread.pairs.set(id, met)
  } else await syncing.there.deleteComment(thread.looked.issue.number, comment.id)
}

/** A comment by which a member proves who they are there: it stays there, and does not come. */
async function takeProof(
  syncing: Syncing,
  thread: Thread,
  { comment, code }: { comment: Comment; code: string },
): Promise<void> {
  const isTold = thread.looked.told.some(({ what, id }) => what === 'comment' && id === comment.id)
  await readProof(syncing, { ...comment, isEdited: comment.isEdited || isTold }, code)
  const pair = pairOf(syncing, thread, `refused ${comment.id}`)
  await queries.insertPair(syncing.dependencies.db, { ...pair, sourceId: comment.id })
}

/** A comment that an import brought is the one there as it is. Gives whether it is one. */
async function meetImported(syncing: Syncing, thread: Thread, comment: Comment): Promise<boolean> {
  const { db } = syncing.dependencies
  const key = { scope: scopeOf(syncing.tracker), type: 'comment', sourceId: comment.importId } as const
  const id = (await findImported(db, key))?.thingId
  if (id === undefined) return false
  const own = thread.own.get(id)
  const text = own && ([printOf(await wholeOf(db, id, own.body)), printOf(comment.text)] as const)
  const common: Common = { made: 'there', ...(text ? { text } : { gone: 'here' }) }
  const thingId = own ? id : `refused ${comment.id}`
  const pair = { ...pairOf(syncing, thread, thingId), sourceId: comment.id, common: JSON.stringify(common) }
  await queries.insertPair(db, pair)
  thread.pairs.set(thingId, pair)
  return true
}

/** The comment here that was to be made there under an id. */
const triedAs = ({ pairs }: Thread, madeAs: string): string | undefined =>
  [...pairs.values()].find((pair) => pair.sourceId === null && commonOf(pair).madeAs === madeAs)?.thingId

function markedAs({ key }: Syncing, { text }: Comment): string | undefined {
  const mark = markIn(text, key)
  return mark?.type === 'comment' ? mark.id : undefined
}

const pairOf = ({ tracker }: Syncing, { looked }: Thread, thingId: string): queries.Pair => ({
  ...{ trackerId: tracker.id, thingId, type: 'comment', onId: looked.bug.id, sourceId: null, number: null },
  ...{ common: JSON.stringify({ made: 'here' }), triedAt: null, lookedAt: '' },
})

/** Writes a comment from there here, as its author. One that is refused does not come again. */
async function take(syncing: Syncing, thread: Thread, comment: Comment): Promise<void> {
  const { dependencies, tracker } = syncing
  const { bug } = thread.looked
  const sourceId = comment.id
  const whole = wholeHere(syncing, comment.text, { made: 'there' })
  const { text, keep } = fieldOf(whole, 'comment')
  const common: Common = { made: 'there', text: [printOf(whole), printOf(comment.text)] }
  const pair = { ...pairOf(syncing, thread, ''), sourceId, common: JSON.stringify(common) }
  const input = { id: bug.id, body: text }
  const accountId = comment.user && (await writerOf(syncing, await personOf(syncing, comment.user)))
  const written =
    accountId &&
    (await callAs<{ id: string }>(syncing, {
      ...{ accountId, operation: bugs.comment, input },
      async keep(db: Transaction, made: { id: string }) {
        await keep(db, made)
        await queries.insertPair(db, { ...pair, thingId: made.id })
        const key = {
          scope: scopeOf(tracker),
          type: 'comment',
          sourceId: comment.importId,
          importId: tracker.id,
        }
        await insertImported(db, {
          ...key,
          thingId: made.id,
          number: null,
          ownNumber: null,
          url: comment.url,
        })
      },
    }))
  if (!written) await queries.insertPair(dependencies.db, { ...pair, thingId: `refused ${sourceId}` })
}

async function syncPair(syncing: Syncing, thread: Thread, pair: queries.Pair): Promise<void> {
  const {
    dependencies: { db },
    there,
  } = syncing
  const own = thread.own.get(pair.thingId)
  const theirs = thread.theirs.get(pair.sourceId ?? '')
  const common = commonOf(pair)
  if (common.gone || pair.thingId.startsWith('refused')) return
  if (!own) {
    if (await isElsewhere(syncing, pair)) return
    if (theirs) await there.deleteComment(thread.looked.issue.number, theirs.id)
    return queries.updatePair(db, pair, { common: JSON.stringify({ ...common, gone: 'here' }) })
  }
  if (!isShown(own)) return
  if (pair.sourceId === null) return send(syncing, thread, own)
  if (theirs) return syncText(syncing, { pair, common, own, theirs, thread })
  return meetGone(syncing, thread, { pair, common, own })
}

/** Whether a comment went along with its bug into another one. */
const isElsewhere = async ({ dependencies: { db } }: Syncing, { thingId }: queries.Pair): Promise<boolean> =>
  (await queries.findComment(db, thingId)) !== undefined

interface PairedComment {
  pair: queries.Pair
  common: Common
  own: OwnComment
}

/** A comment that is gone there: it goes here, where its person may and it was not edited since; otherwise it is put back. */
async function meetGone(syncing: Syncing, thread: Thread, { pair, common, own }: PairedComment): Promise<void> {
  const { db } = syncing.dependencies
  const told = thread.looked.told.findLast(({ what, id }) => what === 'gone' && id === pair.sourceId)
  const person = told && (await personOf(syncing, told.by))
  // Where no delivery tells who did it, it was its author.
  const author = common.made === 'there' ? own.authorId : undefined
  const accountId = told ? actorFor(person, { field: 'comment', authorId: own.authorId }) : author
  const isEdited = common.text?.[0] !== printOf(await wholeOf(db, own.id, own.body))
  if (accountId !== undefined && !isEdited) {
    const gone = await callAs(syncing, { accountId, operation: operations.delete, input: { id: own.id } })
    if (gone) return queries.updatePair(db, pair, { common: JSON.stringify({ ...common, gone: 'there' }) })
  }
  // What is put back is written by us there.
  await queries.updatePair(db, pair, { sourceId: null, common: JSON.stringify({ made: 'here' }) })
  return send(syncing, thread, own)
}

async function syncText(
  syncing: Syncing,
  { pair, common, own, theirs, thread }: PairedComment & { theirs: Comment; thread: Thread },
): Promise<void> {
  const {
    dependencies: { db },
    there,
  } = syncing
  const ours = await wholeOf(db, own.id, own.body)
  const read = wholeHere(syncing, theirs.text, common)
  const sides = { ours, theirs: theirs.text, read }
  const verdict = verdictOf(sides, common.text)
  const save = (text: Common['text']) => queries.updatePair(db, pair, { common: JSON.stringify({ ...common, text }) })
  if (verdict === 'same') {
    const text = [printOf(ours), printOf(theirs.text)] as const
    return text[0] === common.text?.[0] && text[1] === common.text[1] ? undefined : save(text)
  }
  if (verdict !== 'send' && (await takeText(syncing, { own, theirs, read, thread, isBoth: verdict === 'both' }))) {
    return save([printOf(read), printOf(theirs.text)])
  }
  const body = bodyThere(syncing, { type: 'comment', id: own.id, text: ours, author: own.username, made: common.made })
  const sent = await there.updateComment(thread.looked.issue.number, theirs.id, body)
  if (sent) await save([printOf(ours), printOf(sent.text)])
}

interface TextThere {
  own: OwnComment
  theirs: Comment
  read: string
  thread: Thread
  isBoth: boolean
}

async function takeText(syncing: Syncing, { own, theirs, read, thread, isBoth }: TextThere): Promise<boolean> {
  const told = thread.looked.told.findLast(({ what, id }) => what === 'comment' && id === theirs.id)
  const editor = told?.by ?? theirs.user
  const person = editor && (await personOf(syncing, editor))
  const accountId = actorFor(person, { field: 'comment', authorId: own.authorId })
  if (accountId === undefined) return false
  const { text, keep } = fieldOf(read, 'comment')
  const ours = await lastEdit(syncing.dependencies.db, own.id, 'body')
  if (isBoth && ours && !isTheirsLater(ours.at, theirs.updatedAt)) {
    await recordLost(syncing, {
      id: own.id,
      field: 'body',
      ours: own.body,
      theirs: text,
      by: accountId,
      winner: ours.by,
    })
    return false
  }
  const input = { id: own.id, body: text, seenEditedAt: own.editedAt }
  return (await callAs(syncing, { accountId, operation: operations.edit, input, keep })) !== undefined
}

/** Writes a comment from here there, once: an attempt whose answer got lost is known by its mark. */
async function send(syncing: Syncing, thread: Thread, own: OwnComment): Promise<void> {
  const {
    dependencies: { db },
    there,
  } = syncing
  let pair = thread.pairs.get(own.id)
  if (!pair) {
    pair = pairOf(syncing, thread, own.id)
    await queries.insertPair(db, pair)
  }
  // What an attempt made is known by now: this is a new one.
  const madeAs = randomUUID()
  const trying: Common = { made: 'here', madeAs }
  await queries.updatePair(db, pair, { triedAt: nowOf(syncing), common: JSON.stringify(trying) })
  const text = await wholeOf(db, own.id, own.body)
  const body = bodyThere(syncing, { type: 'comment', id: own.id, text, author: own.username, made: 'here' })
  const made = await there.createComment(thread.looked.issue.number, { text: body, madeAs })
  const common: Common = { made: 'here', text: [printOf(text), printOf(made.text)] }
  await queries.updatePair(db, pair, { sourceId: made.id, common: JSON.stringify(common) })
}
