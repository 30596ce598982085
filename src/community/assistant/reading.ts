// What the machine gets of things: as its caller sees them, and nothing of a closed board.

import { findComment } from '../../content/comment-rows/queries.ts'
import { commentPage } from '../../content/comments/comments.ts'
import { shows } from '../../content/hiding/rules.ts'
import { forwarded } from '../../content/merged/queries.ts'
import type { Commentable, HideableKind } from '../../content/things.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context } from '../../request/handler.ts'
import type { Passage } from './rules.ts'

/** What the machine can be asked about. */
export interface Readable {
  commentables: readonly Commentable[]
  powers: { hidings: ReadonlyMap<string, HideableKind> }
}

export interface Thread {
  id: string
  title: string
  text: string
  url: string
  /** All of it, in its order. */
  said: Passage[]
}

const noSuchThing = () => new Problem('not_found', 'There is no such thing to ask about')
const isClosed = () => new Problem('conflict', 'Nothing of a closed board is sent to a machine')

/** So many comments are read. */
const COMMENTS = 100

type ReadContext = Pick<Context<Caller>, 'db' | 'caller' | 'config'>

/** A thread that its caller sees, with what was said there, or with the `best` of that. A merged one is its target. Throws `not_found`, and `conflict` for a closed board. */
export const readThread = (
  context: ReadContext,
  readable: Readable,
  { type, id: named, best }: { type: string; id: string; best?: number },
): Promise<Thread> =>
  forwarded(context.db, named, async (id) => {
    const on = await openTo(context, readable, { type, id })
    const thing = await readable.powers.hidings.get(type)?.find(context.db, id)
    if (thing?.hidden !== 0) throw noSuchThing()
    const { title, text, url } = thing
    const some = best
      ? ({ sort: 'popular', per_page: best } as const)
      : ({ sort: 'oldest', per_page: COMMENTS } as const)
    const { items } = await commentPage(context, on, { id, ...some, page: 0, replies: 0, naming: {} })
    const answers = items.map(({ body, createdAt }) => ({ what: `Comment of ${createdAt.slice(0, 10)}`, text: body }))
    return { id, title, text, url, said: [{ what: 'Title', text: title }, { what: 'Text', text }, ...answers] }
  })

/** What a thing can be commented on by, where its caller sees it. */
async function openTo(
  { db, config }: ReadContext,
  { commentables }: Readable,
  { type, id }: { type: string; id: string },
): Promise<Commentable> {
  const on = commentables.find((one) => one.type === type)
  if (!on || partsOff(config).kinds.has(type)) throw noSuchThing()
  await on.findUrl(db, id)
  if ((await on.isShared?.(db, id)) === false) throw isClosed()
  return on
}

/** The text of a comment that its caller sees. */
export async function readComment(context: ReadContext, readable: Readable, id: string): Promise<string> {
  const comment = await findComment(context.db, id)
  if (!comment || !shows(comment)) throw noSuchThing()
  await openTo(context, readable, { type: comment.targetType, id: comment.targetId })
  return comment.body
}
