// Pictures in texts.

import type { Feature } from '../manifest.ts'
import { deleteLooseImages, textImageErasure } from './clean-up.ts'
import { handlers } from './handlers.ts'

export const textImagesFeature = {
  handlers: { textImages: handlers },
  erasure: { steps: () => [textImageErasure] },
  cleanUps: {
    images: ['images that no text shows', (now, dependencies) => deleteLooseImages(dependencies, now)],
  },
} satisfies Feature
