// How far an import is: its phases, in their order, and the place within one.

/**
 * What is done, in this order: new things are counted, and get numbers; pictures of texts are brought; things are written; then their comments and
 * votes; then the records go.
 */
const phases = [
  ...(['count', 'set apart', 'number', 'picture', 'picture of comment'] as const),
  ...(['thing', 'comment', 'vote', 'end'] as const),
] as const
type Phase = (typeof phases)[number]

export interface Cursor {
  phase: Phase
  /** The sort key of the last record of the phase. */
  after: string
  /** The new things that were counted, or have numbers. */
  counted: number
  /** Of pictures that were stored. */
  bytes?: number
}

export const FIRST_CURSOR = JSON.stringify({ phase: 'count', after: '', counted: 0 } satisfies Cursor)

export const following = (phase: Phase): Phase => phases[phases.indexOf(phase) + 1] ?? 'end'

export const isOfPictures = ({ phase }: Pick<Cursor, 'phase'>): boolean =>
  phase === 'picture' || phase === 'picture of comment'
