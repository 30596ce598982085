// Handing a narrower, shorter token to a helper (RFC 8693).
import { globalFetch } from './fetching.ts'
import type { ServerOptions } from './sign-in.ts'
import { exchange, type Tokens } from './token-endpoint.ts'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

export interface HandOn extends ServerOptions {
  clientId: string
  /** The access token of this program. */
  token: string
  /** What the helper may do, of what the token may; all of it but offline_access unless told. */
  scope?: string | undefined
}

/** A token for a helper: it lasts a quarter of an hour at most, cannot be refreshed, and ends with the token that it is made from. */
export function handOn({ url, fetch = globalFetch, signal, clientId, token, scope }: HandOn): Promise<Tokens> {
  return exchange(
    { url, fetch, clientId, signal },
    {
      grant_type: TOKEN_EXCHANGE,
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
      ...(scope !== undefined && { scope }),
    },
  )
}
