// Tokens from the authorization server: exchanged, refreshed, revoked (RFC 6749, 5; RFC 7009).
import { GuildhallError, SignInEndedError } from './errors.ts'
import type { FetchResponse } from './fetch-response.ts'
import { type Fetch, jsonOf, originOf, respond } from './fetching.ts'

/** What a sign-in gives. Plain JSON, to be kept secret. */
export interface Tokens {
  /** The server that they are for; they are sent to no other. */
  url: string
  clientId: string
  accessToken: string
  expiresAt?: string
  /** Each refresh gives another one. Only with the scope offline_access. */
  refreshToken?: string
  scope?: string
  resource?: string
}

export interface TokenAnswer {
  access_token: string
  expires_in?: number
  refresh_token?: string
  scope?: string
}

export interface Exchange {
  url: string
  fetch: Fetch
  clientId: string
  /** What the tokens are for, if it is not the server itself (RFC 8707). */
  resource?: string | undefined
  signal?: AbortSignal | undefined
}

/** Tokens for a code or a refresh token. Throws SignInEndedError if the server will never give any for it. */
export async function exchange(
  { url, fetch, clientId, resource, signal }: Exchange,
  grant: Record<string, string>,
): Promise<Tokens> {
  const form = { client_id: clientId, ...(resource !== undefined && { resource }), ...grant }
  try {
    const response = await postForm({ url: `${originOf(url)}/api/auth/oauth2/token`, fetch, signal }, form)
    return tokensOf((await jsonOf(response, signal)) as TokenAnswer, { url, clientId, resource })
  } catch (error) {
    if (error instanceof GuildhallError && error.code === 'invalid_grant')
      throw new SignInEndedError(error.message, error)
    throw error
  }
}

/** An answer of the server as tokens to keep. A server that sends no new refresh token lets the old one stand. */
export function tokensOf(
  { access_token, expires_in, refresh_token, scope }: TokenAnswer,
  { url, clientId, resource }: Pick<Exchange, 'url' | 'clientId' | 'resource'>,
): Tokens {
  return {
    url: originOf(url),
    clientId,
    accessToken: access_token,
    ...(expires_in !== undefined && { expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() }),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  }
}

/** Ends the sign-in that a token belongs to. */
export async function revoke({ url, fetch, clientId, signal }: Exchange, token: string): Promise<void> {
  const response = await postForm(
    { url: `${originOf(url)}/api/auth/oauth2/revoke`, fetch, signal },
    { client_id: clientId, token },
  )
  await jsonOf(response, signal)
}

interface Target extends Pick<Exchange, 'url' | 'fetch' | 'signal'> {}

function postForm({ url, fetch, signal }: Target, form: Record<string, string>): Promise<FetchResponse> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return respond(fetch, url, { method: 'POST', headers, body, ...(signal && { signal }) })
}
