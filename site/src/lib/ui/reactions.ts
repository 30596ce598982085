// How pages show the reactions to comments.
import type { ReactionKind } from '../../../../src/contract/kinds.ts'

/** Their words are in the catalogue: `ui.reaction.<kind>`. */
export const reactions: readonly { kind: ReactionKind; sign: string }[] = [
  { kind: 'thumbs_up', sign: '👍' },
  { kind: 'heart', sign: '❤️' },
  { kind: 'hooray', sign: '🎉' },
  { kind: 'laugh', sign: '😄' },
  { kind: 'confused', sign: '😕' },
  { kind: 'eyes', sign: '👀' },
]
