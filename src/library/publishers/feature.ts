// Trusted publishing: CI identities that publish items.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { trustedPublishers } from './contract.ts'
import { publisherErasure } from './erasure.ts'

export const publishersFeature = {
  handlers: { trustedPublishers: lazily(trustedPublishers, async () => (await import('./handlers.ts')).handlers) },
  erasure: { steps: () => [publisherErasure] },
} satisfies Feature
