// Signing in on a machine without a browser (RFC 8628): a person types a code on another device, and this one polls for the tokens.
import { GuildhallError, NetworkError, SignInEndedError, SignInError } from './errors.ts'
import { globalFetch, jsonOf, originOf, respond } from './fetching.ts'
import { wait } from './platform.ts'
import type { ServerOptions } from './sign-in.ts'
import { exchange, type Tokens } from './token-endpoint.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const DEFAULT_INTERVAL_SECONDS = 5
const SLOWER_SECONDS = 5

export interface DeviceSignIn extends ServerOptions {
  clientId: string
  /** Scopes with spaces between them. offline_access gives a refresh token. */
  scope: string
  /** What the tokens are for, if it is not the server itself (RFC 8707). */
  resource?: string | undefined
  /** Sent with the request: the server tells the person which system asks. */
  userAgent?: string | undefined
  /** Shows the person where to go and what to type there. */
  show(code: DeviceCode): void
}

/** What a person needs. */
export interface DeviceCode {
  /** The code to type: `WDJB-MJHT`. */
  userCode: string
  /** The page to open on any device. */
  address: string
  /** The same with the code filled in, for a link or a QR code. */
  addressWithCode: string
  expiresInSeconds: number
}

interface DeviceAnswer {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete?: string
  expires_in: number
  interval?: number
}

/**
 * Tokens of the person who types the code; resolves when they allow it. Throws SignInError `access_denied` or `expired_token`.
 */
export async function signInWithDevice({ show, ...options }: DeviceSignIn): Promise<Tokens> {
  const { url, clientId, resource, fetch = globalFetch, signal } = options
  const answer = await requestDeviceCode(options)
  const { device_code, user_code: userCode, verification_uri: address, expires_in: expiresInSeconds } = answer
  show({ userCode, address, addressWithCode: answer.verification_uri_complete ?? address, expiresInSeconds })
  let seconds = answer.interval ?? DEFAULT_INTERVAL_SECONDS
  const end = Date.now() + expiresInSeconds * 1000
  while (Date.now() < end) {
    await wait(seconds * 1000, signal)
    try {
      return await exchange({ url, fetch, clientId, resource, signal }, { grant_type: DEVICE_GRANT, device_code })
    } catch (error) {
      seconds = slowerAfter(error, seconds)
    }
  }
  throw new SignInError('expired_token', 'The code has expired')
}

/** How long to wait before the next poll; throws what ends the sign-in. */
function slowerAfter(error: unknown, seconds: number): number {
  if (error instanceof SignInEndedError) throw new SignInError('invalid_grant', error.message)
  // Where nothing answers, later polls come less often (RFC 8628, 3.5).
  if (error instanceof NetworkError) return seconds * 2
  if (!(error instanceof GuildhallError)) throw error
  if (error.code === 'authorization_pending') return seconds
  if (error.code === 'slow_down') return seconds + SLOWER_SECONDS
  if (error.status === 429 || error.status >= 500) return Math.max(seconds * 2, error.retryAfterSeconds ?? 0)
  throw new SignInError(error.code, error.message)
}

async function requestDeviceCode({
  url,
  clientId,
  scope,
  resource,
  userAgent,
  fetch = globalFetch,
  signal,
}: Omit<DeviceSignIn, 'show'>) {
  const form = { client_id: clientId, scope, ...(resource !== undefined && { resource }) }
  const response = await respond(fetch, `${originOf(url)}/api/auth/oauth2/device_authorization`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(userAgent !== undefined && { 'User-Agent': userAgent }),
    },
    body: new URLSearchParams(form).toString(),
    ...(signal && { signal }),
  })
  return (await jsonOf(response, signal)) as DeviceAnswer
}
