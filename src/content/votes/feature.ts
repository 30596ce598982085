// Votes on the things of all features.
import type { Feature } from '../manifest.ts'
import { voteErasure } from './erasure.ts'

export const votesFeature = {
  erasure: { first: ({ votables }) => [voteErasure(votables)] },
} satisfies Feature
