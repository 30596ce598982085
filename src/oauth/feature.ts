// The authorization server, as far as it has operations: tokens for agents, and apps that are signed in.
import type { Feature } from '../content/manifest.ts'
import type { createOAuth } from './oauth.ts'

interface Services {
  server: Pick<ReturnType<typeof createOAuth>, 'handlers'>
}

export const oauthFeature = { handlers: ({ server }: Services) => server.handlers } satisfies Feature
