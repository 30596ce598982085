// Agents that wrote something.

import type { Feature } from '../manifest.ts'
import type { BlogTitle } from '../search/handlers.ts'
import { titlesIn } from '../title-queries.ts'
import { agentHandlers } from './handlers.ts'

export const agentsFeature = {
  handlers: ({ blogTitle }: { blogTitle: BlogTitle }) => ({ agents: agentHandlers(blogTitle) }),
  clientTitles: titlesIn('agent', ['clientId', 'name'], ({ clientId, name }) => ({
    ...{ id: clientId, title: name ?? clientId, url: null },
  })),
} satisfies Feature
