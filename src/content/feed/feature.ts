// The feed.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const feedFeature = { handlers: { feed: handlers } } satisfies Feature
