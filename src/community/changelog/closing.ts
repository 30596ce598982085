// A release closes bugs and feature requests, one a transaction: each locks what it closes, then the release, which knows what is left. A
// process that ends loses nothing, and there is one notification of each.
import type { ClosableKind } from '../../content/edits/releasing.ts'
import { isInClosedBoard } from '../../content/hiding/rules.ts'
import { recordReleased } from '../../content/notifications/events.ts'
import type { Db } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { findPending, lockPending, type ThingToClose, updatePending } from './queries.ts'
import { urlOf } from './subject.ts'

/** Closes the next thing of the release that waits for longest. Gives whether there was one. */
export async function closeNext(
  { db, now }: { db: Db; now: string },
  releasings: readonly ClosableKind[],
): Promise<boolean> {
  const waiting = await findPending(db)
  const [next] = parseJson<ThingToClose[]>(waiting?.pending ?? '[]')
  if (!waiting || !next) return false
  await db.transaction().execute(async (transaction) => {
    const releasing = releasings.find(({ type }) => type === next.type)
    const isThere = await releasing?.lock(transaction, next.id)
    const release = await lockPending(transaction, waiting.id)
    const [first, ...left] = parseJson<ThingToClose[]>(release?.pending ?? '[]')
    if (!release || first?.id !== next.id) return
    const { id, number, authorId } = release
    if (releasing && isThere) {
      const context = { caller: { id: authorId }, now, address: null }
      // What has a number is in no closed board, and those who read it may not read one.
      const isNamed = !isInClosedBoard(release)
      const reason = isNamed ? `Released with #${number}` : 'Released'
      const status = await releasing.close(transaction, { context, id: next.id, reason })
      const named = isNamed && { release: { id, url: urlOf({ id }) } }
      await recordReleased(transaction, { by: authorId, now, on: next }, { status, ...named })
    }
    await updatePending(transaction, id, left)
  })
  return true
}
