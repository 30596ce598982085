// Provisioning by a company: its tokens are operations, the protocol itself is endpoints (scim.ts).
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { scimTokens } from './contract.ts'

export const scimFeature = {
  handlers: { scimTokens: lazily(scimTokens, async () => (await import('./handlers.ts')).handlers) },
} satisfies Feature
