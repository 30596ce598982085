// Votes on the things of all features.
import type { Feature } from '../manifest.ts'

export const votesFeature = {
  erasure: { first: async ({ votables }) => [(await import('./erasure.ts')).voteErasure(votables)] },
} satisfies Feature
