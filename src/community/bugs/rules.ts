// Where a bug counts, for the totals of its lists.
import type { BugTable } from '../../database/schema.ts'
import type { Counted } from '../tally/tally.ts'

type Facets = Pick<BugTable, 'status' | 'severity'>

/** A bug with these labels: among all, its author's and each label's. */
export const counted = (
  { authorId, ...bug }: Facets & Pick<BugTable, 'authorId'>,
  labelIds: readonly string[],
): Counted => ({
  ...countedByLabel(bug, labelIds),
  groups: ['all', `by/${authorId}`, ...labelIds.map((id) => `label/${id}`)],
})

export const countedByLabel = ({ status, severity }: Facets, labelIds: readonly string[]): Counted => ({
  kind: 'bug',
  groups: labelIds.map((id) => `label/${id}`),
  facets: [status, severity],
})
