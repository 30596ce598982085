// The authorization server, as far as it has operations: tokens for agents, and apps that are signed in.

import type { Feature } from '../content/manifest.ts'
import { titlesIn } from '../content/title-queries.ts'
import type { createOAuth } from './oauth.ts'

interface Services {
  server: Pick<ReturnType<typeof createOAuth>, 'handlers' | 'cleanUp'>
}

export const oauthFeature = {
  handlers: ({ server }: Services) => server.handlers,
  titles: {
    'sign-in': titlesIn('grant', ['id', 'clientName', 'clientId'], ({ id, clientName, clientId }) => ({
      ...{ id, title: clientName ?? clientId, url: null },
    })),
  },
  cleanUps: {
    oauth: ['expired grants and tokens', (now, _, { server }: Services) => server.cleanUp(now)],
  },
} satisfies Feature
