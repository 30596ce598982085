// Putting labels on bugs and taking them off, with the totals of the lists. The bug must be locked.

import { decrement, increment } from '../../content/counters.ts'
import type { BugTable, Transaction } from '../../database/schema.ts'
import { deleteBugLabel, insertBugLabel } from './labelling-queries.ts'
import { countedByLabel } from './rules.ts'

export { addToScores, mapLabels } from './labelling-queries.ts'

type Bug = Pick<BugTable, 'id' | 'authorId' | 'status' | 'severity' | 'score' | 'createdAt'>

/** False when the label is there already. */
export async function attach(db: Transaction, bug: Bug, labelId: string): Promise<boolean> {
  const { id: bugId, authorId, status, severity, score, createdAt } = bug
  const added = await insertBugLabel(db, { bugId, labelId, authorId, status, severity, score, createdAt })
  if (added) await increment(db, countedByLabel(bug, [labelId]))
  return added
}

/** Throws `not_found` when the label is not there. */
export async function detach(db: Transaction, bug: Bug, labelId: string): Promise<void> {
  await deleteBugLabel(db, { bugId: bug.id, labelId })
  await decrement(db, countedByLabel(bug, [labelId]))
}
