// Agents of tests: clients that an account let in, as typed clients with their tokens.
import { type Api, api } from '../src/api.ts'
import { type Client, connect } from '../src/surfaces/client.ts'
import { AGENT, oauthClient } from './oauth.ts'
import type { Person, World } from './world.ts'

export const EVERYTHING = 'openid profile community:read community:write library:read library:write offline_access'

export interface TestAgent extends Client<Api> {
  clientId: string
  accessToken: string
  refreshToken: string | undefined
}

interface Options {
  /** The client; a new one that registers itself unless told. */
  clientId?: string
  name?: string
  scope?: string
  more?: Record<string, string>
}

export const agentWith = (world: World, token: string): Client<Api> =>
  connect(api, {
    baseUrl: world.dependencies.config.baseUrl,
    token,
    fetch: async (request) => world.app.fetch(request),
  })

/** Lets a client in, and gives it as a typed client. */
export async function agentOf(
  world: World,
  person: Person,
  { clientId, name = 'Night Clerk', scope = EVERYTHING, more = {} }: Options = {},
): Promise<TestAgent> {
  await person.account()
  const oauth = oauthClient(world)
  const id = clientId ?? (await oauth.register({ client_name: name }))
  const tokens = await oauth.signIn(person, { clientId: id, scope, more })
  if (!tokens.access_token) throw new Error(JSON.stringify(tokens))
  const { access_token: accessToken, refresh_token: refreshToken } = tokens
  return Object.assign(agentWith(world, accessToken), { clientId: id, accessToken, refreshToken })
}

/** The operator's own agent. */
export const operatorsAgent = (world: World, person: Person): Promise<TestAgent> =>
  agentOf(world, person, { clientId: AGENT })
