// Addresses to which notifications are not mailed.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { bounces } from './contract.ts'

export const bouncesFeature = {
  handlers: { bounces: lazily(bounces, async () => (await import('./handlers.ts')).handlers) },
} satisfies Feature
