// Things that go to another board, or stay in one that is opened or closed. A thing in a closed board keeps its row and its comments, and is out
// of everything that all boards share, as a hidden thing is.
import type { Transaction } from '../../database/schema.ts'
import { changeSearch } from '../../search/indexing.ts'
import { commentDocument } from '../../search/things.ts'
import { listShownOn } from '../comments/queries.ts'
import { changeHidden, type HideableKind } from '../hiding/hiding.ts'
import type { Boarded } from './contract.ts'

/** A kind of thing that is in boards, as its store gives it. */
export interface BoardedKind {
  type: string
  /** Where the site shows a thing. */
  subject: { url(thing: { id: string }): string }
  /** Locks a thing until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<{ id: string; authorId: string; hidden: number; boardId?: string | null }>
  update(db: Transaction, id: string, changes: Readonly<Record<string, string | null>>): Promise<unknown>
}

/** Comments a statement. */
const AT_ONCE = 250

export interface Turn {
  type: Boarded
  id: string
  /** Whether it is out of what all boards share from now on. */
  isClosed: boolean
  now: string
}

/** Takes a thing that is locked out of what all boards share, with what is said of it, or puts it back. */
export async function turn(
  db: Transaction,
  hidings: ReadonlyMap<string, HideableKind>,
  { type, id, isClosed, now }: Turn,
): Promise<void> {
  const hiding = hidings.get(type)
  if (!hiding || !(await changeHidden(db, hiding, { id, by: 'board', isOn: isClosed, now }))) return
  if (isClosed) return changeSearch(db, { removedOn: [id] })
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some = await listShownOn(db, { targetType: type, targetId: id, after, limit: AT_ONCE })
    if (some.length > 0) await changeSearch(db, { put: some.map(commentDocument) })
    after = some.length < AT_ONCE ? undefined : some.at(-1)?.id
  }
}
