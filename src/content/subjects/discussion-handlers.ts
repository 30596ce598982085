// Votes and comments on anything that has them: a subject with lists, a library item or a blog post.

import type { z } from 'zod'
import type { VoteValue } from '../../contract/fields.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import { recordOf } from '../../contract/records.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { addComment, commentPage, removeComment } from '../comments/comments.ts'
import type { CommentListInput } from '../comments/contract.ts'
import { forwarded } from '../merged/queries.ts'
import { followVoted } from '../notifications/events.ts'
import type { Subject } from '../subject.ts'
import type { Commentable, Votable } from '../things.ts'
import { votingOn } from '../votes/casting.ts'

type Vote = z.output<typeof VoteValue>

/** How a path names a thing, where it is not by its id alone. */
type Resolve = (db: Db, ref: string) => Promise<string>

const asItIs: Resolve = async (_db, id) => id

export function voteHandler(votable: Votable, resolve = asItIs) {
  const vote = votingOn(votable)
  return async (context: Context<Caller>, { id: ref, value }: { id: string; value: Vote }) => {
    const { db, caller, now } = context
    return forwarded(db, await resolve(db, ref), async (id) => {
      const result = await vote(context, { id, value })
      if (votable.follow && value === 1) await followVoted(db, { by: caller.id, now, on: { type: votable.type, id } })
      return result
    })
  }
}

/** `parent` is the field of a comment that names what it is on. */
export function commentHandlers<Parent extends string>(
  commentable: Commentable,
  { parent }: Pick<Subject<FeedKind, Parent>, 'parent'>,
  resolve = asItIs,
) {
  const naming = (id: string) => recordOf(parent ? [parent] : [], () => id)
  return {
    async comments(
      context: Context,
      { id: ref, ...input }: CommentListInput & { id: string; version?: string | undefined },
    ) {
      return forwarded(context.db, await resolve(context.db, ref), (id) =>
        commentPage(context, commentable, { id, naming: naming(id), ...input }),
      )
    },
    async comment(context: Context<Caller>, { id: ref, ...given }: Parameters<typeof addComment>[2]) {
      return forwarded(context.db, await resolve(context.db, ref), async (id) => ({
        ...(await addComment(context, commentable, { id, ...given })),
        ...naming(id),
      }))
    },
    async deleteComment(context: Context<Caller>, { id: ref, ...removal }: Parameters<typeof removeComment>[2]) {
      return forwarded(context.db, await resolve(context.db, ref), (id) =>
        removeComment(context, commentable, { id, ...removal }),
      )
    },
  }
}
