// What a call rejects with. An aborted call rejects with the reason of its signal.
import { statusOfCode } from './derived/operations.ts'
import type { FetchResponse, ResponseHeaders } from './fetch-response.ts'

/** The codes of the API; the authorization server has further ones (RFC 6749, 5.2). */
export type ErrorCode = keyof typeof statusOfCode
type AnyCode = ErrorCode | (string & Record<never, never>)

/** An error response of the server. */
export class GuildhallError extends Error {
  readonly status: number
  readonly code: AnyCode
  /** The body as it came: JSON, or text. */
  readonly details: unknown
  readonly headers: ResponseHeaders
  /** The log of the server has the request under this id. */
  readonly requestId: string | undefined
  /** How long to wait before the same call can succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Pick<FetchResponse, 'status' | 'headers'>, text: string) {
    const { status, headers } = response
    const { code, message, details } = read(text, response)
    super(message)
    this.name = 'GuildhallError'
    this.status = status
    this.code = code
    this.details = details
    this.headers = headers
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = retryAfterOf(headers)
  }
}

/**
 * A write that is not made yet: the account wants to be asked before its agent does this (status 202). `pendingActs.get` tells later what
 * became of it. Sent again with its key, it asks no second time.
 */
export class WaitingError extends GuildhallError {
  /** The id of the pending act. */
  readonly pendingId: string
  readonly expiresAt: string | undefined

  constructor(response: Pick<FetchResponse, 'status' | 'headers'>, text: string) {
    super(response, text)
    this.name = 'WaitingError'
    const { id, expiresAt } = (this.details ?? {}) as { id?: unknown; expiresAt?: unknown }
    this.pendingId = String(id ?? '')
    this.expiresAt = typeof expiresAt === 'string' ? expiresAt : undefined
  }
}

/** A call that no server would take; nothing was sent. */
export class InputError extends TypeError {
  constructor(message: string) {
    super(message)
    this.name = 'InputError'
  }
}

/** There was no answer, or not all of it. Whether the server did what was asked is not known. */
export class NetworkError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
  }
}

/** The answer passes a bound that the client has: of bytes or of time. It is not asked for again. */
export class BoundError extends NetworkError {
  constructor(message: string, cause?: unknown) {
    super(message, cause)
    this.name = 'BoundError'
  }
}

/** A download is not what it should be. */
export class ChecksumError extends Error {
  readonly expected: string
  readonly actual: string

  constructor(what: string, expected: string, actual: string) {
    super(`The download has another ${what}: ${actual}, not ${expected}`)
    this.name = 'ChecksumError'
    this.expected = expected
    this.actual = actual
  }
}

/** A sign-in was not completed. `code` is the server's (`access_denied`, ...), `wrong_state` or `wrong_issuer`. */
export class SignInError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'SignInError'
    this.code = code
  }
}

/** The sign-in cannot go on: it was revoked or expired, or the account is blocked. The person must sign in again. */
export class SignInEndedError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'SignInEndedError'
  }
}

interface ErrorDetails {
  code: AnyCode
  message: string
  details: unknown
}

/** The four forms of errors: { error }, { error: { code, message } }, { code, message }, { error, error_description }. */
function read(text: string, { status, headers }: Pick<FetchResponse, 'status' | 'headers'>): ErrorDetails {
  const fallback = codeOfStatus(status, headers)
  let details: unknown = text
  try {
    details = JSON.parse(text)
  } catch {
    // A proxy answered.
  }
  if (typeof details !== 'object' || details === null) return { code: fallback, message: `HTTP ${status}`, details }
  const { error, error_description, code, message } = details as Record<string, unknown>
  if (typeof error === 'object' && error !== null) return { ...plain(error as Fields, fallback, status), details }
  if (typeof error !== 'string') return { ...plain({ code, message }, fallback, status), details }
  if (typeof error_description === 'string') return { code: error, message: error_description, details }
  if (error === 'Account blocked') return { code: 'blocked', message: error, details }
  // In this form the text is now a code, now a sentence (interface.md, section 7).
  return { code: /^[a-z]+(_[a-z]+)+$/.test(error) ? error : fallback, message: error, details }
}

interface Fields {
  code?: unknown
  message?: unknown
}

const plain = ({ code, message }: Fields, fallback: AnyCode, status: number) => ({
  code: typeof code === 'string' ? code : fallback,
  message: typeof message === 'string' ? message : `HTTP ${status}`,
})

function codeOfStatus(status: number, headers: ResponseHeaders): AnyCode {
  if (/error="insufficient_scope"/.test(headers.get('www-authenticate') ?? '')) return 'insufficient_scope'
  if (status === 202) return 'waiting'
  if (status === 400) return 'invalid_request'
  if (status === 403) return 'forbidden'
  if (status === 409) return 'conflict'
  const found = Object.entries(statusOfCode).find(([, known]) => known === status)
  return (found?.[0] as ErrorCode | undefined) ?? (status >= 500 ? 'unavailable' : 'invalid_request')
}

/** Of `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: ResponseHeaders): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
