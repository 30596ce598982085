// How a client learns that it needs a token, or one with another scope: it then steps up by itself (RFC 6750, 3; RFC 9728, 5.1).

import type { Operation } from '../../contract/operation.ts'
import type { Problem } from '../../contract/problem.ts'
import { apiScopes } from '../../contract/scopes.ts'

/** What a call lacked. */
export interface Challenge {
  code: 'unauthorized' | 'insufficient_scope' | 'reauthentication_required'
  message: string
  /** Of a token that lacks one: the scopes that it has, and last the one it lacks. */
  scope?: string | undefined
  /** Of a token of a person who signed in too long ago, or not strongly enough (RFC 9470). */
  maxAgeSeconds?: number
  acrValues?: string | undefined
}

/**
 * What a client should get a token for, after a refusal. What the account does not let it do, no other scope would allow: a client that
 * asked again would ask for nothing.
 */
export function challengeOf(
  { code, details, message }: Problem,
  { access }: Pick<Operation, 'access'>,
): Challenge | undefined {
  const { credential } = access
  const takesToken = credential === 'required' || credential === 'optional' || details.scope !== undefined
  if (code === 'unauthorized' && takesToken) return { code, message: 'Send a valid bearer token' }
  if (code === 'reauthentication_required' && details.maxAgeSeconds !== undefined)
    return { code, message, maxAgeSeconds: details.maxAgeSeconds, acrValues: details.acrValues }
  if (code !== 'insufficient_scope') return undefined
  const { scope } = details
  return { code, message: `The token lacks the scope ${scope?.split(' ').at(-1)}`, scope }
}

/**
 * What a client without a good token should ask for. A host may never ask again: with a refresh token it refreshes at a later 403, which
 * gives no more scopes. So it asks for all at once, and the person narrows them (docs/decisions/2026-11-28-scopes-of-mcp.md).
 */
const FIRST_SCOPES = [...apiScopes, 'offline_access'].join(' ')

/** 401 or 403 with the place of the resource's metadata and the scope that would do. */
export function challengeAnswer(challenge: Challenge, sentToken: boolean, baseUrl: string): Response {
  const { code, message } = challenge
  const scope = code === 'unauthorized' ? FIRST_SCOPES : challenge.scope
  const { maxAgeSeconds, acrValues } = challenge
  const refused = {
    insufficient_scope: 'insufficient_scope',
    reauthentication_required: 'insufficient_user_authentication',
  }
  const error = code === 'unauthorized' ? (sentToken ? 'invalid_token' : undefined) : refused[code]
  const parameters = [
    error && `error="${error}"`,
    scope && `scope="${scope}"`,
    maxAgeSeconds !== undefined && `max_age="${maxAgeSeconds}"`,
    acrValues !== undefined && `acr_values="${acrValues}"`,
    `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/api/mcp"`,
  ]
  const headers = { 'WWW-Authenticate': `Bearer ${parameters.filter(Boolean).join(', ')}` }
  const body = { error: error ?? code, error_description: message }
  return Response.json(body, { status: code === 'unauthorized' ? 401 : 403, headers })
}
