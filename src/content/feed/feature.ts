// The feed.

import { lazily } from '../../request/lazily.ts'
import type { Feature, Things } from '../manifest.ts'
import { feed } from './contract.ts'

export const feedFeature = {
  handlers: ({ boarded }: Pick<Things, 'boarded'>) => ({
    feed: lazily(feed, async () => (await import('./handlers.ts')).feedHandlers(boarded)),
  }),
} satisfies Feature
