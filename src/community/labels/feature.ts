// Labels, as a feature of the application.
import type { Feature } from '../../content/manifest.ts'
import { handlers } from './handlers.ts'

export const labelsFeature = { handlers: { labels: handlers } } satisfies Feature
