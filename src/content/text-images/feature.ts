// Pictures in texts.

import { lazily } from '../../request/lazily.ts'
import type { Feature } from '../manifest.ts'
import { textImages } from './contract.ts'

export const textImagesFeature = {
  handlers: { textImages: lazily(textImages, async () => (await import('./handlers.ts')).handlers) },
  erasure: { steps: async () => [(await import('./clean-up.ts')).textImageErasure] },
  cleanUps: {
    images: [
      'images that no text shows',
      async (now, dependencies) => (await import('./clean-up.ts')).deleteLooseImages(dependencies, now),
    ],
  },
} satisfies Feature
