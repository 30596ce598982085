// The users of the demo. Each calls the API like any client: signs up, stores a cookie, signs in when it has expired.
import { type Api, api } from '../api.ts'
import type { Guildhall } from '../app.ts'
import { required } from '../runtime/untyped.ts'
import { type Client, connect } from '../surfaces/client.ts'

export interface Description {
  username: string
  email: string
  /** How long ago the account was made. */
  joined: string
  role?: 'moderator' | 'admin'
  /** Left out for an account without a profile. */
  profile?: {
    name: string
    tagline?: string
    jobTitle?: string
    company?: string
    tags?: string[]
    websiteUrl?: string
  }
}

export interface Person extends Client<Api> {
  username: string
  joinedAt: number
  /** Makes the account. */
  signUp(): Promise<{ id: string }>
}

interface Place {
  app: Guildhall
  baseUrl: string
  password: string
}

/** `address` is the network address that the audit log shows. */
export function makePerson(
  { app, baseUrl, password }: Place,
  { username, email, profile }: Description,
  { joinedAt, address }: { joinedAt: number; address: string },
): Person {
  let cookie = ''
  const send = async (request: Request) => {
    if (cookie) request.headers.set('Cookie', cookie)
    const response = await app.fetch(request, { address })
    // The session's; a browser would keep the other one, too.
    const set = response.headers.getSetCookie()[0]
    if (set) cookie = required(set.split(';')[0])
    return response
  }
  const door = connect(api, { baseUrl, fetch: send }).accounts
  /** A session ends a week after its last use, or when a running server cleans up. */
  const sendSignedIn = async (request: Request) => {
    const again = request.clone()
    const response = await send(request)
    if (response.status !== 401) return response
    cookie = ''
    await door.signIn({ email, password })
    return send(again)
  }
  return {
    ...connect(api, { baseUrl, fetch: sendSignedIn }),
    username,
    joinedAt,
    signUp: async () => (await door.signUp({ name: profile?.name ?? username, email, password })).user,
  }
}
