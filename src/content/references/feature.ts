// What numbers and names in texts refer to.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const referencesFeature = { handlers: { references: handlers } } satisfies Feature
