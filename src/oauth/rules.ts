// Rules for tokens and token requests, without input or output.
import type { Config } from '../config/config.ts'
import type { Scope } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { isScope, scopeNames } from '../contract/scopes.ts'

/** What a client asks to be bound by, while a person decides: the library knows other types of `authorization_details`. */
export const BOUNDS_ASKED = 'bounds_asked'

/** How long ago a person may have signed in, for a token without `openid` (RFC 9470, 4): the library knows it with that alone. */
export const MAX_AGE_ASKED = 'max_age_asked'

/** How strong the sign-in is to be, for a token without `openid` (RFC 9470, 4): as above. */
export const ACR_ASKED = 'acr_asked'

/** The grant type of RFC 8628. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant type of RFC 8693. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The grant type of RFC 7523, 2.1. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** How a client with keys of its own authenticates (OpenID Connect Core, 9; RFC 7523, 2.2). */
export const PRIVATE_KEY_JWT = 'private_key_jwt'
/** How apps authenticate that an admin gave a secret (RFC 6749, 2.3.1). */
export const BY_SECRET = ['client_secret_basic', 'client_secret_post'] as const
/** By which algorithms it may sign. */
export const CLIENT_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const

export const ACCESS_SECONDS = 3600
/** A grant that an issuer vouched for lives for two days after its last token, so that what it may do in a day is counted over all of them. */
export const ASSERTED_GRANT_SECONDS = 2 * 86_400
export const REFRESH_SECONDS = 30 * 86_400
/** How long a used refresh token gets the same answer again (interface.md, section 5). */
export const RETRY_SECONDS = 300
export const UNUSED_CLIENT_SECONDS = 90 * 86_400
/** How long a client without tokens is kept (behaviour.md, section 5). */
export const NEVER_USED_CLIENT_SECONDS = 86_400
/** How long it is kept what happened to a grant. */
export const EVENT_SECONDS = 90 * 86_400
/** How long the consent page is valid: an hour, so that a user can read it without haste. */
export const DECISION_SECONDS = 3_600
/** How long the RSA key of ID tokens stays published after it was replaced; an ID token lasts an hour. */
export const REPLACED_KEY_SECONDS = 86_400

/** The scope for a client that requests none (behaviour.md, section 5). */
export const DEFAULT_SCOPE: Scope = 'community:read'

/** {auth_url}: endpoints are below it, independent of the issuer's name. */
export const authUrl = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/api/auth`

type Where = Pick<Config, 'agentClientId' | 'agentAudience' | 'baseUrl'>

/** The meaning of the `resource` parameters: an ordinary token, one for the agent audience, or an unsupported one. */
export type Resource = 'ordinary' | 'agent' | 'refused'

/** RFC 8707, as behaviour.md, section 5 narrows it. */
export function resourceOf(values: readonly string[], clientId: string | null, where: Where): Resource {
  if (values.length === 0) return 'ordinary'
  const [value] = values
  if (values.length > 1 || !value) return 'refused'
  if (value === where.agentAudience && clientId === where.agentClientId) return 'agent'
  // Clients print an origin with a slash behind it.
  const plain = value.replace(/\/$/, '')
  return ['', '/api', '/api/mcp'].some((path) => plain === where.baseUrl + path) ? 'ordinary' : 'refused'
}

/** A resource unknown to the library, which then refuses it with `invalid_target` as the protocol requires. */
const NO_RESOURCE = 'urn:guildhall:none'

/** Replaces the `resource` parameters by the decision. */
export function normalizeResource(parameters: URLSearchParams, where: Where): void {
  const resource = resourceOf(parameters.getAll('resource'), parameters.get('client_id'), where)
  parameters.delete('resource')
  if (resource === 'agent') parameters.set('resource', where.agentAudience)
  if (resource === 'refused') parameters.set('resource', NO_RESOURCE)
}

/** Parameters that make sense only with `openid`; without it they are ignored (RFC 6749, 3.1). */
const ONLY_WITH_OPENID = ['nonce', 'max_age', 'claims', 'claims_locales', 'id_token_hint', 'acr_values']

/**
 * An authorization request in the form the library expects. Unknown scopes are dropped unless none would be left; without a scope the
 * default applies; consent is always requested, which OpenID Connect Core, 11 requires for offline_access.
 */
export function normalizeRequest(given: URLSearchParams, where: Where): URLSearchParams {
  const request = new URLSearchParams(given)
  normalizeResource(request, where)
  const asked = scopeNames(request.get('scope') ?? '')
  const known = asked.filter(isScope)
  if (asked.length === 0) request.set('scope', DEFAULT_SCOPE)
  else if (known.length > 0) request.set('scope', known.join(' '))
  if (!known.includes('openid')) {
    const maxAge = request.get('max_age')
    if (maxAge !== null && /^\d{1,9}$/.test(maxAge)) request.set(MAX_AGE_ASKED, maxAge)
    const acr = request.get('acr_values')
    if (acr !== null) request.set(ACR_ASKED, acr)
    for (const name of ONLY_WITH_OPENID) request.delete(name)
  }
  const prompt = scopeNames(request.get('prompt') ?? '').map((name) =>
    name === 'select_account' || name === 'create' ? 'login' : name,
  )
  if (!prompt.includes('none')) request.set('prompt', [...new Set([...prompt, 'consent'])].join(' '))
  const details = request.get('authorization_details')
  request.delete('authorization_details')
  if (details !== null) request.set(BOUNDS_ASKED, details)
  const mode = request.get('response_mode')
  // The decision on the consent page returns a redirect, which cannot post a form.
  if (mode !== null && mode !== 'query' && mode !== 'fragment') request.set('response_mode', 'none')
  return request
}

/** The authorization request to continue after signing in, without the parameters that would require another sign-in. */
export function afterSignIn(request: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(request)
  const prompt = scopeNames(rest.get('prompt') ?? '').filter((name) => name !== 'login')
  if (prompt.length > 0) rest.set('prompt', prompt.join(' '))
  else rest.delete('prompt')
  return rest
}

/** The scopes that a person left in, in a form of the page (RFC 6749, 3.3); undefined for a form without the field, as programs send it. */
export const scopesChosen = (form: URLSearchParams): string[] | undefined =>
  form.has('scope') ? form.getAll('scope').filter(Boolean) : undefined

/** What is left of the scopes that were asked for; all of them, where nothing was chosen. Nothing else is ever added. */
export function scopeLeft(asked: string, chosen: readonly string[] | undefined): string {
  if (!chosen) return asked
  const left = scopeNames(asked).filter((name) => isScope(name) && chosen.includes(name))
  if (left.length === 0) throw new Problem('invalid_request', 'Leave at least one permission in, or deny the request')
  return left.join(' ')
}

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
/** Of an access token that is a JWT, which may be called by its form as well (RFC 8693, 3). */
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt'
