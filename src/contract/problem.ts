// Why a request was refused. One vocabulary for every surface; each area renders it in its own dialect.

import type { BudgetStanding } from './budget.ts'

/** Every way a request can fail, with the status that goes with it (interface.md, section 7). */
export const statusOf = {
  invalid_request: 400,
  invalid_artifact: 400,
  invalid_signature: 400,
  invalid_target: 400,
  invalid_or_expired_code: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  outside_bounds: 403,
  blocked: 403,
  reauthentication_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  version_conflict: 409,
  gallery_org: 409,
  suspicious: 409,
  too_large: 413,
  key_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type Code = keyof typeof statusOf

/** Why a token or proof is not good, in the names of RFC 6750, 3.1 and RFC 9449, 7.1 and 9. */
export interface KeyFault {
  error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce'
  message: string
  /** A nonce to put into the next proof. */
  nonce?: string | undefined
}

export interface ProblemDetails {
  /** Seconds to wait before the same request can succeed; becomes `Retry-After`. */
  retryAfterSeconds?: number
  /** The budgets that refused the request; become `RateLimit` and `RateLimit-Policy`. */
  standings?: readonly BudgetStanding[]
  /** The scopes to ask for, with spaces between them; becomes part of `WWW-Authenticate` (RFC 6750, 3). */
  scope?: string
  /** How long ago a person may have signed in at most; becomes part of `WWW-Authenticate` (RFC 9470, 3). */
  maxAgeSeconds?: number
  /** How strong the sign-in must have been (contract/sign-in-strength.ts); the same. */
  acrValues?: string
  /** The nonce to put into the next proof of a key; becomes `DPoP-Nonce` (RFC 9449, 8). */
  nonce?: string
  /** The path of the challenge whose solution the request lacks; becomes `Proof-Of-Work`. */
  challenge?: string
  /** What was wrong with a token that came with a proof of its key, or without. */
  fault?: KeyFault
}

/** A refusal that the caller gets. The message is written for the caller and holds no secret. */
export class Problem extends Error {
  readonly code: Code
  readonly details: ProblemDetails

  constructor(code: Code, message: string, details: ProblemDetails = {}) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.details = details
  }
}
