// Comments on every subject that has them. The count is kept with the parent and in the feed, in the same transaction. A reply
// hangs under a comment that is no reply; the replies of each parent are counted, so that its threads have a total.

import { Problem } from '../../contract/problem.ts'
import { hasBoards } from '../../contract/standing.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { changeSearch } from '../../search/indexing.ts'
import { commentDocument } from '../../search/things.ts'
import type { AboutField } from '../about/about.ts'
import { type AboutFilter, deleteFeedback } from '../about/queries.ts'
import { noteText } from '../classifier/classifier.ts'
import * as queries from '../comment-rows/queries.ts'
import { addToCount } from '../counter-queries.ts'
import { addToEntries } from '../entries/entries.ts'
import { hiddenBy, maySee, shows } from '../hiding/rules.ts'
import { isHeld, useProofOfFirst } from '../holding/holding.ts'
import { deleteFullText } from '../imported/queries.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import { type Page, pageOf } from '../list-pages.ts'
import { followBecause, recordComment, recordCommentGone } from '../notifications/events.ts'
import { nameFrom } from '../preview.ts'
import { openCase } from '../reports/cases.ts'
import { recordModeration } from '../reports/moderation.ts'
import { countFound } from '../rows/filter-queries.ts'
import { deleteRevisions } from '../rows/revision-queries.ts'
import { isOneOf } from '../subject.ts'
import { attachImages } from '../text-images/queries.ts'
import type { ActiveAt, Commentable } from '../things.ts'
import { tellReferences } from '../threads/references.ts'
import { writtenBy } from '../via.ts'
import { type Comment, type CommentListInput, commentActions, commentRules, type WrittenComment } from './contract.ts'
import * as listing from './listing-queries.ts'
import { commentsAsShown } from './showing.ts'

interface CommentParams {
  id: string
  body: string
  parentId?: string | undefined
  version?: string | undefined
}

export function addComment(
  context: Context<Caller>,
  parent: Commentable,
  { id: targetId, body, parentId: repliedTo, version }: CommentParams,
): Promise<WrittenComment & AboutField> {
  const { db, caller, now, budget } = context
  const made = { id: newId(), authorId: caller.id, body, createdAt: now }
  const written = writtenBy(caller)
  return db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId, caller)
    const on = { targetType: parent.type, targetId }
    const replied = repliedTo === undefined ? undefined : await getComment(transaction, on, repliedTo)
    const parentId = replied ? await lockThread(transaction, replied) : null
    await useProofOfFirst(context, transaction)
    await budget.spend(transaction)
    await queries.insertComment(transaction, { ...made, ...on, parentId, ...written })
    const about = version === undefined ? undefined : { item: targetId, version }
    if (about) await parent.concerning?.put(context, transaction, { id: made.id, about })
    await attachImages(transaction, { thingId: made.id, by: caller.id, texts: [body] })
    const act = { by: caller.id, now, on: { type: parent.type, id: targetId } }
    if (parent.follow) await followBecause(transaction, 'followAnswered', act)
    if (await isHeld(context, transaction, [body])) {
      await queries.updateHidden(transaction, made.id, hiddenBy.hold)
      await openCase(transaction, { type: 'comment', id: made.id, authorId: caller.id, now }, { held: 1 })
    } else {
      if (parentId) await queries.addReplies(transaction, parentId, 1)
      await count(transaction, parent, { targetId, comments: 1, replies: parentId ? 1 : 0, activeAt: now })
      const thing = await parent.describe?.(targetId)
      await recordComment(transaction, act, { commentId: made.id, body, repliedTo: replied?.authorId, thing })
      await putComment(transaction, hasBoards() ? parent : {}, { ...made, ...on, ...written })
      await noteText(context, transaction, { type: 'comment', id: made.id })
      const said = { actorId: caller.id, createdAt: now, ...written, fromId: targetId, commentId: made.id }
      await tellReferences(transaction, body, said)
    }
    const told = about && (await parent.concerning?.of({ ...context, db: transaction }, [made]))
    return { ...made, parentId, authorUsername: caller.username, ...told?.(made) }
  })
}

/** Lets a comment be found, unless what it is on is in a closed board. */
export async function putComment(
  db: Transaction,
  { isShared }: Pick<Commentable, 'isShared'>,
  comment: Parameters<typeof commentDocument>[0],
): Promise<void> {
  if ((await isShared?.(db, comment.targetId)) === false) return
  await changeSearch(db, { put: await withWholeTexts(db, [commentDocument(comment)]) })
}

interface Target {
  targetType: string
  targetId: string
}

const noSuchComment = () => new Problem('not_found', 'No such comment here')

const isOn = (comment: Target | undefined, { targetType, targetId }: Target) =>
  comment?.targetType === targetType && comment.targetId === targetId

/** The comment of this id, if it is on this target. */
async function getComment(db: Db, on: Target, id: string) {
  const comment = await queries.findComment(db, id)
  if (!comment || !shows(comment) || !isOn(comment, on)) throw noSuchComment()
  return comment
}

type ThreadPosition = Pick<queries.FoundComment, 'id' | 'thread' | 'targetId'>
/** A reply is listed under a comment; one whose parent is hidden is listed as others are. */
export const isReply = ({ thread, targetId }: ThreadPosition) => thread !== targetId

/** Locks the comment under which a reply to this one hangs, and gives its id. */
async function lockThread(db: Transaction, comment: ThreadPosition): Promise<string> {
  const root = await queries.findLockedComment(db, isReply(comment) ? comment.thread : comment.id)
  // A parent that is a file has no row to lock: the comment may be gone since it was read.
  if (!root || !shows(root) || isReply(root)) throw noSuchComment()
  return root.id
}

interface Removal {
  id: string
  commentId: string
  reason: string | null
}

/** The board of what comments are on, as far as the running call may have a say there. */
export const boardOf = async (db: Db, { findBoard }: Pick<Commentable, 'findBoard'>, id: string) =>
  hasBoards() && findBoard ? findBoard(db, id) : null

/** Removes a comment of this parent, for its author and for moderators. Replies to it stay, as comments that reply to none. */
export function removeComment(
  context: Context<Caller>,
  parent: Commentable,
  { id: targetId, commentId, reason }: Removal,
): Promise<{ id: string }> {
  const { type: targetType } = parent
  return context.db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId)
    const found = await queries.findComment(transaction, commentId)
    if (!found || !isOn(found, { targetType, targetId }) || !maySee(context.caller, found)) throw noSuchComment()
    const { authorId, replyCount } = found
    const boardId = await boardOf(transaction, parent, targetId)
    if (!isOneOf(commentRules.permissions.delete, context.caller, { authorId, commentCount: replyCount, boardId })) {
      throw new Problem('forbidden', 'Forbidden')
    }
    const comment = await lockComment(transaction, parent, commentId)
    // A parent that is a file has no row to lock: of two who remove the comment at once, one finds it gone.
    if (!comment) throw noSuchComment()
    await deleteLocked(transaction, parent, { comment, now: context.now })
    const detail = { on: targetType, parentId: targetId }
    const act = { action: commentActions.delete, on: comment, name: nameFrom(comment.body), reason, detail }
    await recordModeration(transaction, context, act)
    await changeSearch(transaction, { removed: [commentId] })
    return { id: commentId }
  })
}

/** Locks what a comment is on, which may be hidden, then what it replies to, then the comment: as where a reply is added. */
export async function lockComment(db: Transaction, parent: Pick<Commentable, 'findLockedAny'>, id: string) {
  const found = await queries.findComment(db, id)
  if (!found) return undefined
  await parent.findLockedAny(db, found.targetId)
  const seen = await queries.findComment(db, id)
  if (seen?.parentId) await queries.findLockedComment(db, seen.parentId)
  return queries.findLockedComment(db, id)
}

/** Removes a comment that is locked; its document in the search is the caller's to remove. */
export async function deleteLocked(
  db: Transaction,
  parent: Pick<Commentable, 'type' | 'addCounts'>,
  { comment, now }: { comment: queries.FoundComment; now: string },
): Promise<void> {
  const { id: commentId, targetId, replyCount } = comment
  const isShown = comment.hidden === 0
  await queries.releaseReplies(db, comment)
  if (isShown && isReply(comment)) await queries.addReplies(db, comment.thread, -1)
  await queries.deleteComment(db, commentId)
  await deleteFeedback(db, [commentId])
  await deleteFullText(db, commentId)
  await deleteRevisions(db, commentId)
  const replies = -replyCount - (isReply(comment) ? 1 : 0)
  if (isShown) await count(db, parent, { targetId, comments: -1, replies })
  await recordCommentGone(db, { type: parent.type, id: targetId, isSeen: isShown }, { commentId, now })
}

export async function count(
  db: Transaction,
  { type: targetType, addCounts }: Pick<Commentable, 'type' | 'addCounts'>,
  { targetId, comments, replies, ...active }: { targetId: string; comments: 1 | -1; replies: number } & ActiveAt,
): Promise<void> {
  await addCounts(db, targetId, { commentCount: comments, ...active })
  if (replies !== 0) await addToCount(db, queries.repliesOf({ targetType, targetId }), replies)
  await addToEntries(db, [{ id: targetId, commentCount: comments }])
}

/** The comments that reply to none. */
const NO_COMMENT = 'none'

type ListInput = Omit<CommentListInput, 'replies'> & { id: string; about?: AboutFilter | undefined }

/** A page of comments, oldest first unless told; throws `not_found` when there is no such parent, or comment that is replied to. */
async function pageOfRows(
  db: Db,
  { type: targetType, countComments }: Commentable,
  { id: targetId, sort, parentId, about, ...input }: ListInput,
): Promise<Page<listing.CommentRow>> {
  const on = { targetType, targetId }
  const comments = await countComments(db, targetId)
  const total = async () => {
    if (parentId === undefined) return comments
    if (parentId === NO_COMMENT) return comments - (await queries.countReplies(db, on))
    return (await getComment(db, on, parentId)).replyCount
  }
  const place = parentId === undefined ? on : { targetType, thread: parentId === NO_COMMENT ? targetId : parentId }
  const filters: listing.CommentFilter = { ...place, ...about }
  const order = sort === 'popular' ? 'popular' : 'latest'
  return pageOf(
    db,
    { ...input, sort: order },
    {
      kind: `comment ${sort}`,
      filters,
      count: about ? () => countFound(db, listing.scanComments(db, filters, { sort, backwards: false })) : total,
      scan: (on, listed, pageWindow) => listing.scanComments(on, listed, { sort, ...pageWindow }),
      entries: (on, ids, listed) => listing.commentsById(on, ids, { ...listed, sort }),
    },
  )
}

interface CommentsAsked<On> extends Omit<ListInput, 'about'> {
  replies: number
  naming: On
  /** Only those about this version of what they are on. */
  version?: string | undefined
}

/** A page of comments as the caller sees them, each with what it is on (`naming`) and its first replies if asked. */
export async function commentPage<On extends object>(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  parent: Commentable,
  { replies, naming, version, ...input }: CommentsAsked<On>,
): Promise<Page<Comment & On & { replies?: (Comment & On)[] }>> {
  const { db } = context
  const about = version === undefined ? undefined : await parent.concerning?.find(context, { item: input.id, version })
  const { items: rows, ...page } = await pageOfRows(db, parent, { ...input, about })
  const replied = replies > 0 ? rows.filter(({ replyCount }) => replyCount > 0) : []
  const of = { limit: replies, targetType: parent.type }
  const below = replied.length > 0 ? await listing.listReplies(db, replied, of) : []
  const all = [...rows, ...below]
  const boardId = await boardOf(db, parent, input.id)
  const shown = await commentsAsShown(context, all, { naming, boardId })
  const told = await parent.concerning?.of(context, all)
  if (told) for (const comment of shown) Object.assign(comment, told(comment))
  const items: (Comment & On & { replies?: (Comment & On)[] })[] = shown.slice(0, rows.length)
  if (replies === 0) return { items, ...page }
  const byParent = Map.groupBy(shown.slice(rows.length), ({ parentId }) => parentId)
  for (const item of items) item.replies = byParent.get(item.id) ?? []
  return { items, ...page }
}
