// Pictures in texts.

import { lazily } from '../../request/lazily.ts'
import type { Feature, Things } from '../manifest.ts'
import { textImages } from './contract.ts'

export const textImagesFeature = {
  handlers: ({ commentables }: Pick<Things, 'commentables'>) => ({
    textImages: lazily(textImages, async () => (await import('./handlers.ts')).handlersOfTextImages(commentables)),
  }),
  erasure: { steps: async () => [(await import('./clean-up.ts')).textImageErasure] },
  cleanUps: {
    images: [
      'images that no text shows',
      async (now, dependencies) => (await import('./clean-up.ts')).deleteLooseImages(dependencies, now),
    ],
  },
} satisfies Feature
