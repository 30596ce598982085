// Pushed authorization requests (RFC 9126): a client sends its request here and gives the user's browser only a reference to it. The
// library checks the request; it is stored, and replaces the reference at the authorization endpoint.
import { addressKey, ceilingOf, countTry, countUnder } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import type { Serve } from '../request/endpoint.ts'
import { after } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { parseJson } from '../runtime/untyped.ts'
import { json, nonceHeader, orRefused, protocolError } from './area.ts'
import { authenticatedClient, withoutCredentials } from './client-authentication.ts'
import { challenged, formIn, requireForm } from './client-form.ts'
import { knowClient } from './clients.ts'
import type { OAuthContext } from './oauth-context.ts'
import * as queries from './queries.ts'
import { normalizeRequest } from './rules.ts'

/** The parameter that names the pushed request while a person decides. */
export const PUSHED = 'pushed_request'

/** How long a reference can be taken to the authorization endpoint. */
const PUSHED_SECONDS = 300

/** A pushed request is stored for an hour without an account: it is small, and its number is limited. */
const MAX_BYTES = 4_096
const PUSHES = {
  ofAddress: { tries: 2_000, windowSeconds: 3_600 },
  inAll: ceilingOf('push', { tries: 20_000, windowSeconds: 3_600 }),
}

const URN = 'urn:ietf:params:oauth:request_uri:'

export function pushEndpoint(parts: OAuthContext): Serve {
  const { dependencies, server, readProof } = parts
  const serve: Serve = async (received) => {
    requireForm(received.request)
    const { form, headers } = formIn(received)
    if (form.has('request_uri'))
      return protocolError(400, 'invalid_request', 'Push the request itself, not a reference')
    if (Buffer.byteLength(received.body) > MAX_BYTES)
      throw new Problem('too_large', `A request has at most ${MAX_BYTES} bytes`)
    if (dependencies.config.rateLimits) {
      const { now, address } = received
      const key = `push ${addressKey(address)}`
      await countTry(dependencies.db, { key, limit: PUSHES.ofAddress, now })
      await countUnder(dependencies.db, PUSHES.inAll, { address, now })
    }
    await authenticatedClient(parts, { form, headers }, received)
    const request = normalizeRequest(form, dependencies.config)
    const proof = await readProof(received.request)
    // The code will be bound to this key (RFC 9449, 10.1).
    if (proof && !request.has('dpop_jkt')) request.set('dpop_jkt', proof.key)
    const { call, provider } = await server()
    await knowClient(provider, form.get('client_id'))
    const answer = await call({ method: 'POST', path: '/oauth2/par', headers, body: request.toString() })
    const body = parseJson<{ request_uri: string }>(answer.text)
    if (answer.status !== 201)
      return challenged(json(answer.status, body, nonceHeader(answer.headers.get('dpop-nonce'))), dependencies.config)
    await queries.insertPushedRequest(dependencies.db, {
      hash: sha256(body.request_uri),
      request: withoutCredentials(request).toString(),
      expiresAt: after(received.now, PUSHED_SECONDS),
    })
    return json(201, { ...body, expires_in: PUSHED_SECONDS }, nonceHeader(answer.headers.get('dpop-nonce')))
  }
  return async (received) => challenged(await orRefused(() => serve(received)), dependencies.config)
}

/** The effective request: the pushed one if the parameters name one. Throws when it has expired or belongs to another client. */
export async function pushedRequest(db: Db, given: URLSearchParams, now: string): Promise<URLSearchParams> {
  const reference = given.get('request_uri')
  if (!reference?.startsWith(URN)) return given
  const found = await queries.findPushedRequest(db, sha256(reference))
  const request = found && found.expiresAt > now ? new URLSearchParams(found.request) : undefined
  if (!request || request.get('client_id') !== given.get('client_id')) {
    throw new Problem('invalid_request', 'The request that the app prepared is too old or was used; start again')
  }
  request.set(PUSHED, reference)
  return request
}

/** A pushed request leads to one decision; false when this one led to one already. */
export async function usePushedRequest(db: Db, request: URLSearchParams): Promise<boolean> {
  const reference = request.get(PUSHED)
  return reference === null || queries.deletePushedRequest(db, sha256(reference))
}
