// Accounts through the front door: sign-up, sign-in by a mailed code, and whose session a cookie is.
import assert from 'node:assert/strict'
import type { World } from './world.ts'

export const password = 'a long password'
/** The cookie that a response sets. */
export const session = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!

/** Posts to /api/auth. */
export const post = (world: World, path: string, body: object, headers: Record<string, string> = {}) =>
  world.anonymous.request(`/api/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Signs up with the password; gives the cookie. */
export async function signUp(world: World, email: string): Promise<string> {
  const response = await post(world, '/sign-up/email', { name: 'Carol', email, password })
  assert.equal(response.status, 200)
  return session(response)
}

/** Whose session a cookie is; null for none. */
export async function signedIn(
  world: World,
  cookie: string,
): Promise<{ user: { role: string; emailVerified: boolean } } | null> {
  const response = await world.anonymous.request('/api/auth/get-session', { headers: { cookie } })
  return response.json() as Promise<{ user: { role: string; emailVerified: boolean } } | null>
}

/** Signs in by a mailed code. */
export async function byCode(world: World, email: string): Promise<Response> {
  await world.anonymous.accounts.sendCode({ email })
  return post(world, '/sign-in/code/verify', { email, code: await world.code(email) })
}
