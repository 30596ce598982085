// Hiding the texts of merged things: with everything of an account alone, as moderators see no single one in their queue.

import { DELETED_TEXT } from '../../contract/no-account.ts'
import * as queries from '../merged/queries.ts'
import { lockMerged } from '../merged/undo-queries.ts'
import { deleteRevisions } from '../rows/revision-queries.ts'
import type { HideableKind, Mergeable } from '../things.ts'

export function hidingOfMerged(mergeables: readonly Mergeable[]): HideableKind {
  const lock: HideableKind['lock'] = async (db, id) => {
    for (const mergeable of mergeables) {
      const found = await lockMerged(db, mergeable, id)
      if (found) return found
    }
    return undefined
  }
  return {
    type: 'merged',
    find: async () => undefined,
    lock,
    listIdsOf: queries.listIdsOf,
    async setHidden(db, id, { hidden }) {
      const merged = await queries.updateHidden(db, id, hidden)
      await mergeables.find(({ type }) => type === merged.type)?.indexAll(db, [merged.targetId])
    },
    // Its number and its address still lead to the target.
    async remove(db, id) {
      await deleteRevisions(db, id)
      await queries.updateMerged(db, id, { title: DELETED_TEXT, text: DELETED_TEXT, revisionCount: 0, record: null })
      return []
    },
  }
}
