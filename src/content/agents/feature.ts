// Agents that wrote something.

import { lazily } from '../../request/lazily.ts'
import type { BlogTitle } from '../blog-title.ts'
import type { Feature } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
import { agents } from './contract.ts'

export const agentsFeature = {
  handlers: ({ blogTitle }: { blogTitle: BlogTitle }) => ({
    agents: lazily(agents, async () => (await import('./handlers.ts')).agentHandlers(blogTitle)),
  }),
  clientTitles: titlesIn('agent', ['clientId', 'name'], ({ clientId, name }) => ({
    ...{ id: clientId, title: name ?? clientId, url: null },
  })),
} satisfies Feature
