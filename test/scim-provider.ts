// A provider of SCIM 2.0 for tests, with a token that an admin made.
import assert from 'node:assert/strict'
import { verify } from './visitor.ts'
import type { World } from './world.ts'

const BASE = '/api/scim/v2'
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

// biome-ignore lint/suspicious/noExplicitAny: what the server answers is what the tests look at
export type Body = Record<string, any>

export interface Answer {
  status: number
  body: Body
  headers: Headers
}

/** A provider with a token that an admin made. */
export async function providerOf(world: World, given?: string) {
  const token = given ?? (await world.admin.scimTokens.create({ name: 'Okta' })).token
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const request = new Request(`http://localhost:3000${BASE}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/scim+json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const response = await world.app.fetch(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  return {
    ask,
    get: (path: string) => ask('GET', path),
    add: (user: Body) => ask('POST', '/Users', { schemas: [USER], ...user }),
    addGroup: (displayName: string, ids: readonly string[] = []) =>
      ask('POST', '/Groups', { schemas: [GROUP], displayName, members: ids.map((value) => ({ value })) }),
    patch: (path: string, ...Operations: Body[]) => ask('PATCH', path, { schemas: [PATCH], Operations }),
  }
}

export type Provider = Awaited<ReturnType<typeof providerOf>>

/** Adds the account of a person of the world. */
export async function linked(world: World, provider: Provider, person: World['alice'], more: Body = {}) {
  await verify(world, await person.account())
  const { status, body } = await provider.add({ userName: person.email, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return String(body['id'])
}

export const signsIn = async (world: World, email: string) => {
  const found = await world.db.selectFrom('user').select('blockedAt').where('email', '=', email).executeTakeFirst()
  return found?.blockedAt === null
}

export function assertError({ status, body }: Answer, expected: number, scimType?: string): void {
  assert.equal(status, expected, JSON.stringify(body))
  assert.deepEqual([body['schemas'], body['status'], body['scimType']], [[ERROR], String(expected), scimType])
  assert.equal(typeof body['detail'], 'string')
}
