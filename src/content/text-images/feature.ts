// Pictures in texts.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const textImagesFeature = { handlers: { textImages: handlers } } satisfies Feature
