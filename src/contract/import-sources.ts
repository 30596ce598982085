// The trackers that an import can come from.

export const sourceNames = [
  'github',
  'gitlab',
  'discourse',
  'canny',
  'fider',
  'uservoice',
  'lemmy',
  'csv',
  'guildhall',
] as const
export type SourceName = (typeof sourceNames)[number]
