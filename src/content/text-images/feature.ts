// Pictures in texts.

import type { Feature } from '../manifest.ts'
import { textImageErasure } from './clean-up.ts'
import { handlers } from './handlers.ts'

export const textImagesFeature = {
  handlers: { textImages: handlers },
  erasure: { steps: () => [textImageErasure] },
} satisfies Feature
