// Dependencies of the authorization server's endpoints.

import type { Provider } from 'oidc-provider'
import { needsRole } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { BoundOperation } from '../core/bind.ts'
import type { Core } from '../core/call-request.ts'
import { callGiven } from '../core/given-call.ts'
import type { TrustedPublishers } from '../identity/ci-run.ts'
import type { KeySets } from '../outgoing/key-sets.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import type { Dependencies } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { recordOf } from '../runtime/json.ts'
import type { Answer, Call } from './bridge.ts'
import type { ReadProof } from './dpop/dpop.ts'
import type { Owner } from './interactions.ts'
import type { ReadJwt } from './jwt.ts'
import type { Keys } from './keys/keys.ts'

export interface OAuthContext {
  dependencies: Dependencies
  keys(): Promise<Keys>
  server(): Promise<AuthorizationServer>
  readProof: ReadProof
  readJwt: ReadJwt
  /** The keys of clients at their addresses. */
  clientKeys: KeySets
  /** Which runs of a CI may publish. */
  publishers: TrustedPublishers
  /** Calls an operation of our own API for the user: same session, same address, same browser. */
  callApi(received: EndpointRequest, name: string, input: Readonly<Record<string, unknown>>): Promise<ApiAnswer>
}

export interface ApiAnswer {
  status: number
  /** The API's error message. */
  message: string
  cookies: string[]
}

/** The operations of the API: they are bound after the authorization server is made. */
export interface Operations {
  core(): Core
  bound(name: string): BoundOperation
}

export const apiCaller =
  (operations: Operations): OAuthContext['callApi'] =>
  async ({ request, address, sessionToken }, name, input) => {
    const headers = new Headers()
    for (const header of ['cookie', 'user-agent']) {
      const value = request.headers.get(header)
      if (value) headers.set(header, value)
    }
    const credentials = { sessionToken, accessToken: undefined }
    const bound = operations.bound(name)
    const { access } = bound.operation
    try {
      const from = { requestId: newId(), address, credentials, headers }
      const { status, reply } = await callGiven(operations.core(), bound, { input, ...from })
      return { status, message: '', cookies: reply.getSetCookie() }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { message, error: sentence } = recordOf(access.area.render(error, needsRole(access))) ?? {}
      return { status: access.area.statusOf(error.code), message: String(message ?? sentence ?? ''), cookies: [] }
    }
  }

/** The library that speaks the protocol, as the endpoints call it. */
export interface AuthorizationServer {
  provider: Provider
  /** The audience of an access token for agents. */
  agentResource: InstanceType<Provider['ResourceServer']>
  /** Calls one of the library's endpoints; the path is below {auth_url}. */
  call(call: Omit<Call, 'url'> & { path: string; owner?: Owner | undefined }): Promise<Answer>
}
