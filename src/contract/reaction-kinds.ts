// The reactions to comments, with the names that GitHub gives them, in the order in which pages show them.
export const reactionKinds = ['thumbs_up', 'heart', 'hooray', 'laugh', 'confused', 'eyes'] as const
export type ReactionKind = (typeof reactionKinds)[number]
