// The authorization server's part of the API: errors as { error, error_description } (RFC 6749, 5.2).
import { z } from 'zod'
import type { Access, Area } from '../contract/operation.ts'
import { type Code, type Problem, statusOf } from '../contract/problem.ts'
import type { EndpointResponse } from '../request/endpoint.ts'

/** The protocol's error code for a problem; other problems keep their own code. */
const names: Partial<Record<Code, string>> = {
  internal: 'server_error',
  unavailable: 'temporarily_unavailable',
  not_found: 'invalid_request',
  method_not_allowed: 'invalid_request',
  too_large: 'invalid_request',
  forbidden: 'access_denied',
  blocked: 'access_denied',
  unauthorized: 'login_required',
}

export const oauth: Area = {
  name: 'oauth',
  paths: /^\/(api\/auth\/(oauth2|agent|ssf|jwks|\.well-known)\b|(oauth|\.well-known)(\/|$))/,
  errorBody: z.object({ error: z.string(), error_description: z.string() }).meta({ id: 'OAuthError' }),
  statusOf: (code) => statusOf[code],
  render: ({ code, message }) => ({ error: names[code] ?? code, error_description: message }),
}

/** No account is looked up: the request body is the proof. */
export const anyClient = { area: oauth, credential: 'none' } as const satisfies Access

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): EndpointResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** Tokens, as the library wrote them (RFC 6749, 5.1). */
export const tokenReply = (body: string, nonce: string | undefined): EndpointResponse => ({
  status: 200,
  headers: {
    ...{ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    ...nonceHeader(nonce),
  },
  body,
})

/** The nonce for the client's next proof, if it needs another (RFC 9449, 8). */
export const nonceHeader = (nonce: string | null | undefined): Record<string, string> =>
  nonce ? { 'DPoP-Nonce': nonce } : {}

export const refuse = (problem: Problem): EndpointResponse =>
  json(oauth.statusOf(problem.code), oauth.render(problem, false))

/** An error of the protocol itself, by its name there (RFC 6749, 5.2). */
export const protocolError = (status: number, error: string, description: string): EndpointResponse =>
  json(status, { error, error_description: description })

/** A refusal out of a transaction: all that was done in it is undone, and the refusal is the response. */
export class RefusalError extends Error {
  readonly reply: EndpointResponse

  constructor(reply: EndpointResponse) {
    super('refused')
    this.reply = reply
  }
}

/** An error of the protocol, to be thrown (RFC 6749, 5.2). */
export const refusal = (error: string, description: string): RefusalError =>
  new RefusalError(protocolError(400, error, description))

/** The response of `run`, also when it is refused. */
export async function orRefused(run: () => Promise<EndpointResponse>): Promise<EndpointResponse> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RefusalError) return error.reply
    throw error
  }
}
