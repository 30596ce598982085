// The authorization server, as far as it has operations: tokens for agents, and apps that are signed in.

import type { Feature } from '../content/manifest.ts'
import { titlesIn } from '../content/title-queries.ts'
import type { createOAuth } from './oauth.ts'

interface Services {
  server: Pick<ReturnType<typeof createOAuth>, 'handlers'>
}

export const oauthFeature = {
  handlers: ({ server }: Services) => server.handlers,
  titles: {
    'sign-in': titlesIn('grant', ['id', 'clientName', 'clientId'], ({ id, clientName, clientId }) => ({
      ...{ id, title: clientName ?? clientId, url: null },
    })),
  },
} satisfies Feature
