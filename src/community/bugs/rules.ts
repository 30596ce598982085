// Where a bug counts, for the totals of its lists.

import type { Counted } from '../../content/counters.ts'
import type { BugTable } from '../../database/schema.ts'

type Facts = Pick<BugTable, 'authorId' | 'status' | 'severity'>

/** The group that a list by label, by author, by both or by neither is the whole of. */
export function groupOf({
  labelId,
  authorId,
}: {
  labelId?: string | undefined
  authorId?: string | undefined
}): string {
  if (labelId !== undefined) return authorId === undefined ? `label/${labelId}` : `label-by/${labelId}/${authorId}`
  return authorId === undefined ? 'all' : `by/${authorId}`
}

/** A bug that has these labels. */
export function counted(bug: Facts, labelIds: readonly string[]): Counted {
  const { groups, ...labelled } = countedByLabel(bug, labelIds)
  return { ...labelled, groups: [groupOf({}), groupOf({ authorId: bug.authorId }), ...groups] }
}

/** Only what the labels add. */
export function countedByLabel({ authorId, status, severity }: Facts, labelIds: readonly string[]): Counted {
  const groups = labelIds.flatMap((labelId) => [groupOf({ labelId }), groupOf({ labelId, authorId })])
  return { kind: 'bug', groups, facets: [status, severity] }
}
