// An account that calls from a network address of its own, through the front door.
import assert from 'node:assert/strict'
import type { Account } from '../src/accounts/sign-in/contract.ts'
import { type Api, api } from '../src/api.ts'
import { type ApiError, type Client, connect } from '../src/surfaces/client.ts'
import type { World } from './world.ts'

export interface Visitor extends Client<Api> {
  account: Account
  /** Any request, with this visitor's cookie. */
  send(request: Request): Promise<Response>
}

/** A client that calls from `address`, and keeps its cookie. */
export function callingFrom({ app, dependencies }: World, address: string): Omit<Visitor, 'account'> {
  let cookie = ''
  const send = async (request: Request) => {
    if (cookie) request.headers.set('Cookie', cookie)
    const response = await app.fetch(request, { address })
    const set = response.headers.get('set-cookie')
    if (set) cookie = set.split(';')[0]!
    return response
  }
  return { ...connect(api, { baseUrl: dependencies.config.baseUrl, fetch: send }), send }
}

/** An account that calls from `address`; with `verified` its mailbox is shown to be its own. */
export async function visit(
  world: World,
  name: string,
  { address, verified = false }: { address: string; verified?: boolean },
): Promise<Visitor> {
  const visitor = callingFrom(world, address)
  const password = `${name} has a password`
  const { user } = await visitor.accounts.signUp({ name, email: `${name}@example.com`, password })
  if (verified) await verify(world, user)
  return { ...visitor, account: user }
}

/** As a mailed code would, without using up the mails. */
export async function verify({ db }: World, { id }: Pick<Account, 'id'>): Promise<void> {
  await db.updateTable('user').set({ emailVerifiedAt: new Date().toISOString() }).where('id', '=', id).execute()
}

/** What a call was refused with. */
export const refusal = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => assert.fail('was let through'),
    (error: ApiError) => error,
  )
