// How pages show the reactions to comments.
import type { ReactionKind } from '../../../../src/contract/reaction-kinds.ts'

export const reactions: readonly { kind: ReactionKind; sign: string; word: string }[] = [
  { kind: 'thumbs_up', sign: '👍', word: 'Thumbs up' },
  { kind: 'heart', sign: '❤️', word: 'Heart' },
  { kind: 'hooray', sign: '🎉', word: 'Hooray' },
  { kind: 'laugh', sign: '😄', word: 'Laugh' },
  { kind: 'confused', sign: '😕', word: 'Confused' },
  { kind: 'eyes', sign: '👀', word: 'Eyes' },
]
