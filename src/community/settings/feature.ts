// Settings that admins change while the server runs.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { settings } from './contract.ts'

export const settingsFeature = {
  handlers: () => ({ settings: lazily(settings, async () => (await import('./handlers.ts')).handlers) }),
} satisfies Feature
