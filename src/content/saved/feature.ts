// Lists with filters that members saved.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const savedFeature = { handlers: { savedFilters: handlers } } satisfies Feature
