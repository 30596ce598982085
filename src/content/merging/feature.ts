// Merging things into others.
import type { Feature } from '../manifest.ts'
import { mergedErasure } from './erasure.ts'

export const mergingFeature = {
  erasure: { steps: ({ mergeables }) => [mergedErasure(mergeables)] },
} satisfies Feature
