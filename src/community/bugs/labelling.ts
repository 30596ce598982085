// Putting labels on bugs and taking them off, and lists of the bugs with a label. A row of a label repeats what lists are
// filtered and sorted by, so that one label's bugs are an index scan too.
import { decrement, increment } from '../../content/counters.ts'
import type { Companion } from '../../content/subject-queries.ts'
import { groupsWith } from '../../content/via.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { findLabelId, listLabelIdsByName } from '../labels/labels.ts'
import {
  addToScores,
  deleteBugLabel,
  findBug,
  insertBugLabel,
  type LabelledBug,
  listLabelIds,
  mapLabels,
  scanLabel,
  updateBugLabels,
} from './labelling-queries.ts'

/** Labels with a number beside them: as many as a list shows. */
const MAX_COUNTED = 100

/** Everything that a change of a bug changes with its labels. The bug must be locked. */
export const companion: Companion = {
  groupsOf: async (db, bug) => groupsOf(await listLabelIds(db, bug.id), bug.authorId),
  addScores: addToScores,
  updateFacets: updateBugLabels,
  // No bug has the label that does not exist.
  resolve: async (db, { label, ...filters }) =>
    label === undefined ? filters : { ...filters, labelId: (await findLabelId(db, label)) ?? '' },
  groupOf,
  listedFilter: async (db) => ({ name: 'label', key: 'labelId', values: await listLabelIdsByName(db, MAX_COUNTED) }),
  scan: scanLabel,
}

/** What readers see of a bug's labels. */
export async function decorate(db: Db, bugs: readonly { id: string }[]) {
  const labels = await mapLabels(
    db,
    bugs.map(({ id }) => id),
  )
  return ({ id }: { id: string }) => ({ labels: labels.get(id) ?? [] })
}

type CountedBug = Pick<LabelledBug, 'id' | 'authorId' | 'status' | 'severity' | 'viaClientId'>

const counted = ({ authorId, status, severity, viaClientId }: CountedBug, labelId: string) => ({
  kind: 'bug',
  groups: groupsWith(groupsOf([labelId], authorId), { viaClientId }),
  facets: [status, severity],
})

export { listLabelIds as labelsOf } from './labelling-queries.ts'

/** Puts a label on the bug of this id, which is locked. */
export async function attachTo(db: Transaction, id: string, labelId: string): Promise<void> {
  const bug = await findBug(db, id)
  if (bug) await attach(db, bug, labelId)
}

/** False when the label is there already. */
export async function attach(db: Transaction, bug: LabelledBug, labelId: string): Promise<boolean> {
  const { id: bugId, authorId, status, severity, score, createdAt, hidden } = bug
  const row = { bugId, labelId, authorId, status, severity, score, createdAt, hidden }
  const added = await insertBugLabel(db, row)
  if (added && hidden === 0) await increment(db, counted(bug, labelId))
  return added
}

/** Throws `not_found` when the label is not there. */
export async function detach(db: Transaction, bug: CountedBug, labelId: string): Promise<void> {
  await deleteBugLabel(db, { bugId: bug.id, labelId })
  await decrement(db, counted(bug, labelId))
}

interface Filters {
  labelId?: string | undefined
  authorId?: string | undefined
}

/** The group that a list by label, by author, by both or by neither is the whole of. */
function groupOf({ labelId, authorId }: Filters): string {
  if (labelId !== undefined) return authorId === undefined ? `label/${labelId}` : `label-by/${labelId}/${authorId}`
  return authorId === undefined ? 'all' : `by/${authorId}`
}

/** The groups that labels add. */
const groupsOf = (labelIds: readonly string[], authorId: string): string[] =>
  labelIds.flatMap((labelId) => [groupOf({ labelId }), groupOf({ labelId, authorId })])
