// Many items at once, as a feature of the application.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { itemImports } from './contract.ts'

export const itemImportsFeature = {
  handlers: { itemImports: lazily(itemImports, async () => (await import('./handlers.ts')).handlers) },
} satisfies Feature
