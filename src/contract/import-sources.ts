// The trackers that an import can come from.

/** Of a thing at a source: what a column of integers holds on either engine. */
export const MAX_NUMBER = 2_000_000_000

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
