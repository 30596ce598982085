// What members typed into forms and did not send yet.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const draftsFeature = { handlers: { drafts: handlers } } satisfies Feature
