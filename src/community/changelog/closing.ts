// What releases close: bugs and feature requests.
import type { Publications } from '../../content/edits/closing.ts'
import { isInClosedBoard } from '../../content/hiding/rules.ts'
import { findPending, lockPending, pendingIn, updatePending } from './queries.ts'
import { urlOf } from './subject.ts'

export const releases: Publications = {
  async find(db) {
    const release = await findPending(db)
    return release && { id: release.id, pending: pendingIn(release) }
  },
  async lock(db, id) {
    const release = await lockPending(db, id)
    if (!release) return undefined
    const { number, authorId: by } = release
    const locked = { id, by, pending: pendingIn(release) }
    // What has a number is in no closed board, and those who read it may not read one.
    if (isInClosedBoard(release)) return { ...locked, reason: 'Released' }
    return { ...locked, reason: `Released with #${number}`, release: { id, url: urlOf({ id }) } }
  },
  update: updatePending,
}
