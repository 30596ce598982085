// Where a bug counts, for the totals of lists by label.

interface Filters {
  labelId?: string | undefined
  authorId?: string | undefined
}

/** The group that a list by label, by author, by both or by neither is the whole of. */
export function groupOf({ labelId, authorId }: Filters): string {
  if (labelId !== undefined) return authorId === undefined ? `label/${labelId}` : `label-by/${labelId}/${authorId}`
  return authorId === undefined ? 'all' : `by/${authorId}`
}

/** The groups that labels add. */
export const groupsOf = (labelIds: readonly string[], authorId: string): string[] =>
  labelIds.flatMap((labelId) => [groupOf({ labelId }), groupOf({ labelId, authorId })])
