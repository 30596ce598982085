// Where tokens are kept, and how they stay fresh: refreshed before they expire and once after a 401, by one request for all that wait.
import { SignInEndedError } from './errors.ts'
import { type Fetch, originOf } from './fetching.ts'
import { type Retrying, retrying } from './retry.ts'
import { abortable } from './signals.ts'
import { exchange, type Tokens } from './token-endpoint.ts'

/** Where the tokens of one sign-in are kept. */
export interface TokenStore {
  read(): Promise<Tokens | undefined>
  /** Resolves when they are stored: a refresh token that is lost ends the sign-in. */
  write(tokens: Tokens | undefined): Promise<void>
  /** Runs `body` while no other process does, so that processes that share the store refresh once. */
  lock?<T>(body: () => Promise<T>): Promise<T>
}

/** A store that lasts as long as the program. */
export function memoryTokens(tokens?: Tokens): TokenStore {
  let kept = tokens
  return {
    read: async () => kept,
    async write(next) {
      kept = next
    },
  }
}

/** What a request is sent with. */
export interface Credentials {
  /** The token to send; undefined for none. */
  get(signal: AbortSignal | undefined): Promise<string | undefined>
  /** The token to send after a 401 for `used`; undefined if there is no other. */
  renew(used: string, signal: AbortSignal | undefined): Promise<string | undefined>
}

/** A token that the caller keeps fresh. */
export function fixedCredentials(token: string | undefined): Credentials {
  return { get: async () => token, renew: async () => undefined }
}

/** An access token is refreshed when less than this is left of it. */
const EARLY_MILLISECONDS = 60_000
/** A refresh with all its tries. */
const REFRESH_MILLISECONDS = 30_000

/** The refreshes that run now: two clients with one store share them. */
const running = new WeakMap<TokenStore, Promise<Tokens>>()

const remaining = ({ expiresAt }: Tokens) => (expiresAt === undefined ? Infinity : Date.parse(expiresAt) - Date.now())

/** The tokens of a store, kept fresh. `retry` says how often a refresh is tried: the server repeats an answer that was lost. */
export function storedCredentials(
  store: TokenStore,
  { url, fetch, retry }: { url: string; fetch: Fetch; retry: Omit<Retrying, 'signal'> },
): Credentials {
  const read = async () => {
    const tokens = await store.read()
    if (tokens && originOf(tokens.url) !== url) throw new TypeError(`The tokens are for ${tokens.url}, not for ${url}`)
    return tokens
  }

  async function refreshOnce(stale: string): Promise<Tokens> {
    const tokens = await read()
    if (!tokens) throw new SignInEndedError('There are no tokens any more: sign in again')
    // Another process was faster.
    if (tokens.accessToken !== stale && remaining(tokens) > EARLY_MILLISECONDS) return tokens
    const { refreshToken, clientId, resource } = tokens
    if (refreshToken === undefined) throw new SignInEndedError('The token has expired: sign in again')
    const signal = AbortSignal.timeout(REFRESH_MILLISECONDS)
    const fresh = await retrying({ ...retry, signal }, () =>
      exchange(
        { url, fetch, clientId, resource, signal },
        { grant_type: 'refresh_token', refresh_token: refreshToken },
      ),
    )
    const next = { refreshToken, ...(tokens.scope !== undefined && { scope: tokens.scope }), ...fresh }
    await store.write(next)
    return next
  }

  function refresh(stale: string): Promise<Tokens> {
    const known = running.get(store)
    if (known) return known
    const body = () => refreshOnce(stale)
    const started = (store.lock ? store.lock(body) : body()).finally(() => running.delete(store))
    running.set(store, started)
    return started
  }

  return {
    async get(signal) {
      const tokens = await read()
      if (!tokens) return undefined
      if (tokens.refreshToken === undefined || remaining(tokens) > EARLY_MILLISECONDS) return tokens.accessToken
      try {
        return (await abortable(refresh(tokens.accessToken), signal)).accessToken
      } catch (error) {
        if (signal?.aborted || error instanceof SignInEndedError || remaining(tokens) <= 0) throw error
        return tokens.accessToken
      }
    },
    async renew(used, signal) {
      const tokens = await read()
      if (tokens?.refreshToken === undefined) return undefined
      if (tokens.accessToken !== used) return tokens.accessToken
      return (await abortable(refresh(used), signal)).accessToken
    },
  }
}
