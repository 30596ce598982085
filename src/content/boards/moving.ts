// Things that go to another board, or stay in one that is opened or closed. A thing in a closed board keeps its row and its comments, and is out
// of everything that all boards share, as a hidden thing is.

import type { Transaction } from '../../database/schema.ts'
import { changeSearch } from '../../search/indexing.ts'
import { commentDocument } from '../../search/things.ts'
import type { Boarded } from '../board-access/contract.ts'
import { listShownOn } from '../comment-rows/queries.ts'
import { changeHidden } from '../hiding/hiding.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import type { HideableKind } from '../things.ts'

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
    if (some.length > 0) await changeSearch(db, { put: await withWholeTexts(db, some.map(commentDocument)) })
    after = some.length < AT_ONCE ? undefined : some.at(-1)?.id
  }
}
