// What a reader wants to know of each code of an error: what it means, what to do, and which operations declare it. For the pages of the
// site below /docs/errors.
import type { Area, Contract, Operation } from '../../contract/operation.ts'
import { type Code, Problem, statusOf } from '../../contract/problem.ts'

interface Help {
  /** When it is answered: a sentence in Markdown. */
  meaning: string
  /** What a caller does then: a sentence or two in Markdown. */
  remedy: string
}

/** The codes of RFC 6749, 6750, 8628, 8707, 9449 and 9470, and of OpenID Connect, that /api/auth answers beside those of the API. */
type OAuthCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'insufficient_user_authentication'
  | 'interaction_required'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_scope'
  | 'invalid_token'
  | 'login_required'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unmet_authentication_requirements'
  | 'unsupported_grant_type'

const ofApi: Readonly<Record<Code, Help>> = {
  invalid_request: {
    meaning: 'The input is invalid. The message starts with the name of the field, as in `title: is required`.',
    remedy: 'Correct the field that the message names. The same request never succeeds.',
  },
  invalid_artifact: {
    meaning: 'The file is not valid in the format of its kind. The message says where.',
    remedy: 'Correct the file. [Formats](/docs/formats) describes each kind; a dry run of the upload checks it.',
  },
  invalid_signature: {
    meaning: 'The statement that came with a file is not about that file, or no key of the account signed it.',
    remedy: 'Sign the file that you publish, with a key that your account or its team has listed.',
  },
  invalid_target: {
    meaning: '`resource` names something that this client cannot use (RFC 8707).',
    remedy: 'Use the resource that the metadata of the protected resource names.',
  },
  invalid_or_expired_code: {
    meaning: 'The mailed code is wrong, older than its time, was used, or had five wrong attempts.',
    remedy: 'Ask for another code.',
  },
  invalid_dpop_proof: {
    meaning: 'The proof of the key in the header `DPoP` is missing, wrong, too old or used before (RFC 9449).',
    remedy: 'Make a proof for each request: its method, its address, the time of now and an id that is used once.',
  },
  use_dpop_nonce: {
    meaning: 'The proof of the key has no nonce of the server, or one that is too old (RFC 9449, 8).',
    remedy: 'Repeat the request with the nonce of the header `DPoP-Nonce` in the proof.',
  },
  unauthorized: {
    meaning: 'There is no session and no valid token. `WWW-Authenticate` names the scope that is needed.',
    remedy: 'Get a token: see [Authentication](/docs/authentication).',
  },
  insufficient_scope: {
    meaning: 'The token lacks a scope, which `WWW-Authenticate` names (RFC 6750, 3.1).',
    remedy: 'Ask the user for that scope, and repeat the request with the new token.',
  },
  outside_bounds: {
    meaning: 'The owner of the agent set bounds, and this write is outside them.',
    remedy: 'Do not retry. The message names the bound; the owner changes it under connected apps.',
  },
  blocked: {
    meaning: 'The account is blocked.',
    remedy: 'Do not retry. The account can appeal by the link in the mail about the block.',
  },
  reauthentication_required: {
    meaning: 'A credential must have been used again within ten minutes, or with a certain strength (RFC 9470).',
    remedy: 'Have the person sign in again with the `max_age` or `acr_values` of `WWW-Authenticate`.',
  },
  forbidden: {
    meaning: 'The account may not do this: it lacks a role, or the thing belongs to another account.',
    remedy: 'Do not retry with the same account.',
  },
  not_found: {
    meaning: 'It does not exist, or this account has no access. Both have the same answer.',
    remedy: 'Check the address, and whether a token of the right account came with the request.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but not for this method.',
    remedy: 'Use a method that the header `Allow` names.',
  },
  too_slow: {
    meaning: 'The body came below 32 KB a second for a minute, or took more than 15 minutes.',
    remedy: 'Send it again over a faster connection.',
  },
  conflict: {
    meaning: 'It is taken, or its state does not allow this.',
    remedy: 'Read the message, and read the thing again before another try.',
  },
  version_conflict: {
    meaning: 'The version is not newer than the current one, or the thing was changed in between.',
    remedy: 'Read the thing again, and send your change on top of what is there now.',
  },
  gallery_org: {
    meaning: 'The org belongs to the gallery, and the library only shows it.',
    remedy: 'Change it by the operations of the gallery: [orgs](/docs/reference/orgs).',
  },
  suspicious: {
    meaning: 'The scan found something in the file that stops a publication with `stop_for`.',
    remedy: 'Read what the scan found. Publish without `stop_for` if it is meant to be there.',
  },
  too_large: {
    meaning: 'The body or a file in it is over its limit.',
    remedy: 'Make it smaller. The message has the limit.',
  },
  key_reused: {
    meaning: 'The `Idempotency-Key` was used before with another request.',
    remedy: 'Use a new key for each request that differs.',
  },
  rate_limited: {
    meaning: 'Too many requests, or over a budget, which the message names.',
    remedy: 'Wait for the seconds in `Retry-After`. `GET /api/account/usage` says how much of each budget is used.',
  },
  internal: {
    meaning: 'A fault of the server. The message has the number of its entry in the log.',
    remedy: 'Try again after a second, then after two, then after four. Then report it with the number.',
  },
  unavailable: {
    meaning: 'The database, stored files or mail cannot be reached, or the disk is full.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
}

const ofOAuth: Readonly<Record<OAuthCode, Help & { status: number }>> = {
  access_denied: {
    status: 400,
    meaning: 'The person, or a rule of the server, refused the request.',
    remedy: 'Do not retry by yourself. Ask the person.',
  },
  authorization_pending: {
    status: 400,
    meaning: 'The person has not decided yet (RFC 8628, 3.5).',
    remedy: 'Ask again after `interval` seconds.',
  },
  expired_token: {
    status: 400,
    meaning: 'The device code or the request has ended before the person decided (RFC 8628, 3.5).',
    remedy: 'Begin again, with a new device code.',
  },
  insufficient_user_authentication: {
    status: 401,
    meaning: 'The sign-in of the person is too old, or too weak (RFC 9470).',
    remedy: 'Send the person to the authorization endpoint with the `max_age` or `acr_values` of `WWW-Authenticate`.',
  },
  interaction_required: {
    status: 400,
    meaning: '`prompt=none` was asked for, but the person must do something.',
    remedy: 'Send the person to the authorization endpoint without `prompt=none`.',
  },
  invalid_client: {
    status: 401,
    meaning: 'There is no such client, or it did not prove who it is in the way that it registered.',
    remedy: 'Check `client_id`, and the key or the method of `token_endpoint_auth_method`.',
  },
  invalid_client_metadata: {
    status: 400,
    meaning: 'A field of the registration has a value that this server does not take (RFC 7591).',
    remedy: 'Correct the field that `error_description` names.',
  },
  invalid_grant: {
    status: 400,
    meaning:
      'The grant has ended: it was revoked, expired, used before, or the account is blocked. Also a wrong verifier.',
    remedy: 'Sign the person in again. Throw the refresh token away.',
  },
  invalid_redirect_uri: {
    status: 400,
    meaning: 'A redirect address of the registration cannot be taken (RFC 7591).',
    remedy: 'Use `https:`, a loopback address, or the scheme of your own app.',
  },
  invalid_scope: {
    status: 400,
    meaning: 'None of the scopes exists, or one is more than what was granted.',
    remedy: 'Use scopes of `scopes_supported` in the metadata.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The access token has expired, was revoked, or is not of this server (RFC 6750, 3.1).',
    remedy: 'Get a new one with the refresh token. If that has ended too, sign the person in again.',
  },
  login_required: {
    status: 400,
    meaning: '`prompt=none` was asked for, but the person is not signed in.',
    remedy: 'Send the person to the authorization endpoint without `prompt=none`.',
  },
  slow_down: {
    status: 400,
    meaning: 'The client asks more often than `interval` says (RFC 8628, 3.5).',
    remedy: 'Wait five seconds longer between two requests from now on.',
  },
  temporarily_unavailable: {
    status: 503,
    meaning: 'The database or mail cannot be reached, or the disk is full.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  unauthorized_client: {
    status: 400,
    meaning: 'The client may not use this way to get a token.',
    remedy: 'Use a grant that the client registered.',
  },
  unmet_authentication_requirements: {
    status: 400,
    meaning: 'The person cannot sign in as strongly as `acr_values` says.',
    remedy: 'Ask for less, or have the person add a passkey first.',
  },
  unsupported_grant_type: {
    status: 400,
    meaning: 'This server has no such `grant_type`.',
    remedy: 'Use one of `grant_types_supported` in the metadata.',
  },
}

export interface ProblemReference extends Help {
  code: string
  /** The HTTP status that it is answered with. */
  status: number
  /** Bodies as the areas of the API write them, as JSON. */
  examples: { area: string; status: number; body: string }[]
  /** The operations that declare it, by their names (part, dot, verb). Codes that any operation may answer are declared by few. */
  operations: string[]
}

/** An operation with the codes that it declares. */
const declaring = (name: string, { problems = [], budget, access }: Operation) => ({
  name,
  area: access.area,
  codes: new Set<string>([...problems, ...(budget ? ['rate_limited'] : [])]),
})

/** Sentences in Markdown, as a message has them. */
const plain = (markdown: string) => markdown.replaceAll('`', '')

const written = (body: unknown) => JSON.stringify(body, null, 2)

/** Every code, in the order of its name. */
export function describeProblems(api: Readonly<Record<string, Contract>>, areas: readonly Area[]): ProblemReference[] {
  const all = Object.entries(api).flatMap(([part, contract]) =>
    Object.entries(contract).map(([verb, operation]) => declaring(`${part}.${verb}`, operation)),
  )
  const ours = Object.entries(ofApi).map(([name, help]) => {
    const code = name as Code
    const operations = all.filter(({ codes }) => codes.has(code))
    const using = areas.filter((area) => operations.length === 0 || operations.some((one) => one.area === area))
    const examples = using.map((area) => {
      const body = written(area.render(new Problem(code, plain(help.meaning)), false))
      return { area: area.name, status: area.statusOf(code), body }
    })
    return { ...{ code, status: statusOf[code], ...help }, examples, operations: operations.map((one) => one.name) }
  })
  const ofAuthorization = Object.entries(ofOAuth).map(([code, { status, ...help }]) => {
    const body = written({ error: code, error_description: plain(help.meaning) })
    return { ...{ code, status, ...help }, examples: [{ area: 'oauth', status, body }], operations: [] }
  })
  return [...ours, ...ofAuthorization].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}
