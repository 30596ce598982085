// What can be done with a comment by its id alone: finding it, and reacting to it. What it is on says whether it can be seen.

import type { ReactionKind } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { hasBoards } from '../../contract/standing.ts'
import { pageBefore } from '../../database/cursor.ts'
import type { Transaction } from '../../database/schema.ts'
import { inNameOf } from '../../language/named.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import type { AboutField } from '../about/about.ts'
import { noteEdit } from '../classifier/classifier.ts'
import { findComment, findLockedComment, updateBody } from '../comment-rows/queries.ts'
import { addReactions, deleteReaction, insertReaction, mapReactions } from '../comment-rows/reaction-queries.ts'
import { assertSeen, changesOf, momentAfter, recordRevision, revisionPage } from '../edits/edits.ts'
import { maySee, shows, stateOf } from '../hiding/rules.ts'
import { assertMayLink } from '../holding/holding.ts'
import { deleteFullText } from '../imported/queries.ts'
import { forwarded } from '../merged/queries.ts'
import { recordEdited } from '../notifications/events.ts'
import { recordModeration } from '../reports/moderation.ts'
import { isOneOf } from '../subject.ts'
import { attachImages } from '../text-images/queries.ts'
import type { Commentable } from '../things.ts'
import { boardOf, putComment, removeComment } from './comments.ts'
import { commentActions, commentRules, type comments } from './contract.ts'
import { countBefore, findEntry, listCommentsOfAuthor } from './listing-queries.ts'
import { commentsAsShown, reactionsOf } from './showing.ts'

const noSuchComment = () => new Problem('not_found', 'No such comment')

/**
 * Finds a comment, and where the site shows what it is on; `not_found` for both unless the latter can be seen. What is hidden is found
 * for a caller who may see it.
 */
type Locate = (
  context: Pick<Context, 'db' | 'config'>,
  id: string,
  caller?: Caller,
) => Promise<{
  comment: NonNullable<Awaited<ReturnType<typeof findComment>>>
  url: string
  on: Commentable
  /** What it is on, where the feed does not show that. */
  thing: { title: string } | undefined
}>

function locateAmong(byType: ReadonlyMap<string, Commentable>): Locate {
  return async ({ db, config }, id, caller) => {
    const comment = await findComment(db, id)
    const on = comment && byType.get(comment.targetType)
    if (!comment || !on || !maySee(caller, comment)) throw noSuchComment()
    const url = await forwarded(db, comment.targetId, (targetId) => on.findUrl(db, targetId)).catch(
      (error: unknown) => {
        throw error instanceof Problem ? noSuchComment() : error
      },
    )
    if (partsOff(config).hasPage(url)) throw noSuchComment()
    return { comment, url, on, thing: await on.describe?.(comment.targetId) }
  }
}

/** Locks the comment: its counts are changed by one at a time, and only for a row that came or went. */
const reactHandler =
  (locate: Locate, delta: 1 | -1) =>
  async (context: Context<Caller>, { id, reaction }: { id: string; reaction: ReactionKind }) => {
    const { db, caller, budget } = context
    await locate(context, id)
    return db.transaction().execute(async (transaction) => {
      const comment = await findLockedComment(transaction, id)
      if (!comment || !shows(comment)) throw noSuchComment()
      await budget.spend(transaction)
      const row = { commentId: id, userId: caller.id, reaction }
      const write = delta === 1 ? insertReaction : deleteReaction
      if (await write(transaction, row)) await addReactions(transaction, row, delta)
      const mine = await mapReactions(transaction, caller.id, [id])
      const counts = required(await findEntry(transaction, { id, targetType: comment.targetType }))
      return { reactions: reactionsOf(counts), myReactions: mine.get(id) ?? [] }
    })
  }

interface Editing {
  id: string
  /** What the comment was on when it was read. */
  targetId: string
  caller: Caller
}

/**
 * A comment for its edit, locked after what it is on where that can be locked for members: then no edit lands after a lock of the
 * discussion. Such a lock refuses members.
 */
async function lockEditable(db: Transaction, on: Commentable, { id, targetId, caller }: Editing) {
  if (on.canLock) await on.lock(db, targetId, caller)
  const comment = await findLockedComment(db, id)
  // A merge may have taken it to another thing since it was read.
  if (comment?.hidden !== 0 || (on.canLock && comment.targetId !== targetId)) throw noSuchComment()
  const boardId = await boardOf(db, on, targetId)
  const owned = { authorId: comment.authorId, commentCount: comment.replyCount, boardId }
  if (!isOneOf(commentRules.permissions.edit, caller, owned)) throw new Problem('forbidden', 'Forbidden')
  return comment
}

const editHandler =
  (locate: Locate): Handlers<typeof comments>['edit'] =>
  async (context, { id, body, version, reason, seenEditedAt }) => {
    const { comment, thing, on: parent } = await locate(context, id)
    return context.db.transaction().execute(async (transaction) => {
      const { caller, budget } = context
      const before = await lockEditable(transaction, parent, { id, targetId: comment.targetId, caller })
      await budget.spend(transaction)
      const about = await aboutAfter(context, transaction, { parent, before, version })
      const changes = changesOf(before, { body })
      if (!changes) return { id, body, editedAt: before.editedAt, ...about }
      assertSeen(before, seenEditedAt)
      const said = { before: [before.body], after: [body] }
      await assertMayLink(context, transaction, said)
      await noteEdit(context, transaction, { id, type: 'comment', ...said })
      const editedAt = momentAfter(before, context.now)
      await updateBody(transaction, { id, body, editedAt })
      await deleteFullText(transaction, id)
      await attachImages(transaction, { thingId: id, by: caller.id, texts: [body] })
      const { targetType: on, targetId: thingId } = before
      const revised = { targetType: 'comment', targetId: id, thingId, changes }
      await recordRevision(transaction, { caller, now: editedAt }, revised)
      const detail = { on, parentId: thingId }
      await recordModeration(transaction, context, { action: commentActions.edit, on: before, reason, detail })
      const act = { by: caller.id, now: editedAt, on: { type: on, id: thingId } }
      await recordEdited(transaction, act, { text: body, before: before.body, comment: { id, thing } })
      await putComment(transaction, hasBoards() ? parent : {}, { ...before, body })
      return { id, body, editedAt, ...about }
    })
  }

interface Naming {
  parent: Commentable
  before: { id: string; targetId: string }
  version: string | null | undefined
}

/** Changes which version a comment names, unless nothing is said of that; gives what an answer has of it. */
async function aboutAfter(
  context: Context<Caller>,
  db: Transaction,
  { parent: { concerning }, before: { id, targetId: item }, version }: Naming,
): Promise<AboutField> {
  if (!concerning && version) throw new Problem('invalid_request', 'version: only comments on items name one')
  const about = version && { item, version }
  if (about || about === null) await concerning?.put(context, db, { id, about })
  return (await concerning?.of({ ...context, db }, [{ id }]))?.({ id }) ?? {}
}

/** `commentables` is everything that can be commented on. */
export function handlersOfComments(commentables: readonly Commentable[]): Handlers<typeof comments> {
  const byType = new Map(commentables.map((commentable) => [commentable.type, commentable]))
  const locate = locateAmong(byType)
  return {
    async get(context, { id }) {
      const { db, caller } = context
      const { comment, url, on } = await locate(context, id, caller)
      const { targetType: type, targetId, thread } = comment
      const entry = await findEntry(db, { id, targetType: type })
      const parent = thread === targetId ? undefined : await findComment(db, thread)
      if (!entry || !maySee(caller, entry)) throw noSuchComment()
      const boardId = await boardOf(db, on, targetId)
      const [shown] = await commentsAsShown(context, [entry], { naming: {}, boardId })
      const state = stateOf(entry)
      return {
        ...required(shown),
        ...(await on.concerning?.of(context, [entry]))?.(entry),
        ...(state && { state }),
        on: { type, id: targetId, url },
        position: await countBefore(db, comment),
        parentPosition: parent ? await countBefore(db, parent) : null,
      }
    },
    async list({ db, config }, { authorId, ...request }) {
      const off = partsOff(config)
      const { items: rows, ...page } = await pageBefore(request, ['comments', authorId], (range) =>
        listCommentsOfAuthor(db, { authorId, off, ...range }),
      )
      const shown = rows.map(async ({ targetType: type, targetId, title, ...said }) => {
        // What is no row comes with the software, and is read on a site of any name.
        const found = title ?? inNameOf(config.name, (await byType.get(type)?.describe?.(targetId))?.title ?? '')
        return { ...said, url: `/community/comments/${said.id}`, on: { type, id: targetId, title: found } }
      })
      return { items: await Promise.all(shown), ...page }
    },
    edit: editHandler(locate),
    async delete(context, { id: commentId, reason }) {
      const found = await findComment(context.db, commentId)
      const on = found && byType.get(found.targetType)
      if (!on) throw noSuchComment()
      const off = partsOff(context.config)
      try {
        if (off.key !== '' && off.hasPage(await on.findUrl(context.db, found.targetId))) throw noSuchComment()
        return await removeComment(context, on, { id: found.targetId, commentId, reason })
      } catch (error) {
        // What it is on is not seen either: of which kind that is is not told.
        throw error instanceof Problem && error.code === 'not_found' ? noSuchComment() : error
      }
    },
    async revisions(context, { id: targetId, ...input }) {
      const { revisionCount: total } = (await locate(context, targetId)).comment
      return revisionPage(context, { targetType: 'comment', targetId, total, ...input })
    },
    react: reactHandler(locate, 1),
    unreact: reactHandler(locate, -1),
  }
}
