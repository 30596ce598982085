// Agents that wrote something.
import type { Feature } from '../manifest.ts'
import type { BlogTitle } from '../search/handlers.ts'
import { agentHandlers } from './handlers.ts'

export const agentsFeature = {
  handlers: ({ blogTitle }: { blogTitle: BlogTitle }) => ({ agents: agentHandlers(blogTitle) }),
} satisfies Feature
