// How operations refuse in OpenAPI: by status, in the words of their area, with an example of every reason.
import { type Access, isRepeatable, isWrite, needsRole, type Operation } from '../../contract/operation.ts'
import { type Code, Problem, statusOf } from '../../contract/problem.ts'
import { exampleName, refusalName } from './component-names.ts'
import { named } from './components.ts'
import { budgetHeaders, header, retryAfter } from './protocol-fields.ts'

/** Every refusal of an operation, by its status. */
export function refusalsOf(operation: Operation) {
  const refusals = Map.groupBy(new Set(problemsOf(operation)), (code) => operation.access.area.statusOf(code))
  const answers = [...refusals].sort(([a], [b]) => a - b)
  return answers.map(([status, codes]) => [status, refusalOf(operation, status, codes)] as const)
}

/** A refusal in the words of the operation's area, with an example of every reason there is for it. */
function refusalOf({ access, budget }: Operation, status: number, codes: Code[]) {
  const examples = codes.map((code) => [code, exampleFor(access, status, code)] as const)
  const headers = {
    ...(status === statusOf.unauthorized && {
      'WWW-Authenticate': named('TokenChallenge', header('Where a token comes from (RFC 9728, 5.1)')),
    }),
    ...((status === statusOf.rate_limited || status === statusOf.unavailable) && retryAfter),
    ...budgetHeaders(budget, status),
  }
  const traits = { veiled: examples.some(([, { veiled }]) => veiled), limited: 'RateLimit' in headers }
  return named(refusalName(access, { status, codes }, traits), {
    description: reasons[status] ?? 'Refused',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: access.area.errorBody,
        examples: Object.fromEntries(examples.map(([code, { example }]) => [code, example])),
      },
    },
  })
}

/** `veiled`: the area says less of it where a role is asked for. */
function exampleFor(access: Access, status: number, code: Code) {
  const problem = new Problem(code, sayingOf(code, access) ?? reasons[status] ?? 'Refused')
  const value = access.area.render(problem, needsRole(access))
  const veiled = JSON.stringify(value) !== JSON.stringify(access.area.render(problem, false))
  return { example: named(exampleName(access, code, { veiled }), { value }), veiled }
}

/** What an operation says can go wrong, and what its access and input imply. */
function problemsOf(operation: Operation): Code[] {
  const { access, upload, budget, problems = [] } = operation
  // A query is text everywhere, also where nothing of it is read.
  const implied: Code[] = ['invalid_request']
  if (upload) implied.push('too_large', 'too_slow', 'rate_limited')
  if (access.credential === 'required' || access.credential === 'session') implied.push('unauthorized', 'blocked')
  if (access.credential === 'required' && access.scope) implied.push('insufficient_scope')
  if (access.roles) implied.push('forbidden')
  // What another site sends with a cookie. Where a credential is needed, 403 is there already.
  if (isWrite(operation) && (access.credential === 'none' || access.credential === 'optional'))
    implied.push('forbidden')
  if (budget) implied.push('rate_limited')
  if (isRepeatable(operation)) implied.push('invalid_request', 'conflict', 'key_reused', 'rate_limited')
  return [...implied, ...problems, 'unavailable']
}

/** What is said where the reason of a status is too general. */
function sayingOf(code: Code, { scope }: Access): string | undefined {
  if (code === 'insufficient_scope') return `The token lacks the scope ${scope}`
  return sayings[code]
}

const sayings: Partial<Record<Code, string>> = {
  blocked: 'This account is blocked',
  forbidden: 'Forbidden',
  conflict: 'There is one of that name already',
  key_reused: 'This Idempotency-Key was used for another request; send a new one',
  version_conflict: 'Version 1.2.0 is there already',
  gallery_org: 'Orgs of the gallery are changed in the gallery',
  suspicious: 'The scan found something that the caller wants to be stopped for',
  not_found: 'There is no such thing',
  invalid_or_expired_code: 'The code is not good, or not any more',
  invalid_target: 'The resource is not for this client',
}

const reasons: Record<number, string> = {
  [statusOf.invalid_request]: 'The input is not valid; the message names the field',
  [statusOf.unauthorized]: 'No valid credential',
  [statusOf.forbidden]:
    'The scope or the role is missing, the account is blocked, or another site sent the request with a cookie',
  [statusOf.method_not_allowed]: 'Another method; Allow names those there are',
  [statusOf.not_found]: 'There is no such thing, or the caller may not see it',
  [statusOf.conflict]:
    'Something of that name, address or version is there already; with Retry-After, the same Idempotency-Key is still running',
  [statusOf.key_reused]: 'The Idempotency-Key was used for another request',
  [statusOf.too_slow]: 'The body came too slowly: below 32 KB a second for a minute, or for more than 15 minutes',
  [statusOf.too_large]: 'The body is too large',
  [statusOf.rate_limited]: 'Too many tries; Retry-After says how long to wait',
  [statusOf.unavailable]:
    'The database, stored files or mail are away, or the disk is full; Retry-After says when to try again',
}
