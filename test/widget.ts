// A site that shows the widget: it signs who its people are with a key that an admin made, as its server would.
import { SignJWT } from 'jose'
import { bearing } from './oauth.ts'
import type { Person, World } from './world.ts'

export const SITE = 'https://app.example'
export const OTHER_SITE = 'https://shop.example'
export const LISTED = { WIDGET_SITES: `${SITE}, ${OTHER_SITE}` }

const seconds = (world: World) => Math.floor(world.clock.now() / 1000)

export interface Site {
  secret: string
  keyId: string
  /** A signed identity; what is undefined is left out. */
  sign(claims?: Readonly<Record<string, unknown>>, by?: { secret?: string; alg?: string }): Promise<string>
  /** A person of the site, with a token of the widget. */
  person(claims?: Readonly<Record<string, unknown>>): Promise<HostPerson>
}

export interface HostPerson {
  token: string
  username: string | null
  /** Any call of the API with the token. */
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
}

export async function siteOf(world: World, site = SITE): Promise<Site> {
  const { secret, id: keyId } = await world.admin.widget.createKey({ site })
  const sign: Site['sign'] = (claims = {}, by = {}) => {
    const now = seconds(world)
    const usual = {
      iss: site,
      aud: world.dependencies.config.baseUrl,
      iat: now,
      exp: now + 600,
      sub: 'u-1',
      name: 'Ada',
    }
    const signed = new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: by.alg ?? 'HS256' })
    return signed.sign(new TextEncoder().encode(by.secret ?? secret))
  }
  return {
    ...{ secret, keyId, sign },
    async person(claims) {
      const { token, username } = await world.anonymous.widget.identify({ identity: await sign(claims) })
      return { token, username, call: callerOf(bearing(world, token)) }
    },
  }
}

const callerOf =
  (holder: Pick<Person, 'request'>): HostPerson['call'] =>
  async (method, path, body) => {
    const sent = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const response = await holder.request(path, { method, ...sent })
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
  }
