// Comments as a caller sees them: with the reactions to them, the caller's own, and what the caller may do.
import { type ReactionKind, reactionKinds } from '../../contract/kinds.ts'
import type { Context } from '../../request/handler.ts'
import { mapReactions } from '../comment-rows/reaction-queries.ts'
import { addFullTexts } from '../imported/whole-texts.ts'
import { permissionsOf } from '../subject.ts'
import { viaOf } from '../via.ts'
import { type Comment, commentRules } from './contract.ts'
import type { CommentRow } from './listing-queries.ts'

type Counts = Partial<Record<ReactionKind, number>>

/** `naming` says what they are on, `boardId` in which board that is. Each is put together once: a page has hundreds. */
export async function commentsAsShown<On extends object>(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  rows: readonly CommentRow[],
  { naming: on, boardId }: { naming: On; boardId: string | null },
): Promise<(Comment & On)[]> {
  const { db, caller } = context
  const reactedTo = caller ? rows.filter(({ score }) => score > 0).map(({ id }) => id) : []
  const [mine, via] = await Promise.all([
    caller && reactedTo.length > 0 ? mapReactions(db, caller.id, reactedTo) : undefined,
    viaOf(context, rows),
  ])
  const can = permissionsOf(commentRules, caller)
  const canOnThatOf = (authorId: string) => can({ authorId, commentCount: 0, boardId })
  const [own, others] = [canOnThatOf(caller?.id ?? ''), canOnThatOf('')]
  const shown: (Comment & On)[] = rows.map((row) => ({
    ...on,
    id: row.id,
    authorId: row.authorId,
    authorUsername: row.authorUsername,
    via: via(row),
    body: row.body,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    parentId: row.parentId,
    replyCount: row.replyCount,
    reactions: row.score > 0 ? reactionsOf(row) : NONE,
    myReactions: mine?.get(row.id) ?? NO_KINDS,
    can: row.authorId === caller?.id ? own : others,
  }))
  await addFullTexts(
    db,
    shown,
    rows.map(({ body }) => body),
  )
  return shown
}

const NONE: Counts = {}
const NO_KINDS: ReactionKind[] = []

/** The number of reactions of each kind that a comment has. */
export function reactionsOf(row: Counts): Counts {
  const counts: Counts = {}
  for (const kind of reactionKinds) if (row[kind]) counts[kind] = row[kind]
  return counts
}
