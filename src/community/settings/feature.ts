// Settings that admins change while the server runs.
import type { Feature } from '../../content/manifest.ts'
import { handlers } from './handlers.ts'

export const settingsFeature = { handlers: () => ({ settings: handlers }) } satisfies Feature
