// The search.
import { lazily } from '../../request/lazily.ts'
import type { Feature } from '../manifest.ts'
import { search } from './contract.ts'
import type { SearchServices } from './handlers.ts'

export const searchFeature = {
  handlers: (services: SearchServices) => ({
    search: lazily(search, async () => (await import('./handlers.ts')).searchHandlers(services)),
  }),
} satisfies Feature
