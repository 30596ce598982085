// OpenAPI 3.1, read off the contracts.
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { about } from '../../api.ts'
import { budgetInWords } from '../../budgets/rules.ts'
import { contentTypesOf } from '../../contract/files.ts'
import {
  type Access,
  type Contract,
  isRepeatable,
  needsRole,
  type Operation,
  placesOf,
} from '../../contract/operation.ts'
import { type Code, Problem, statusOf } from '../../contract/problem.ts'
import { scopes } from '../../contract/scopes.ts'
import { required } from '../../runtime/untyped.ts'
import { budgetHeaders, retryAfter } from './budget-headers.ts'
import { exampleOf } from './examples.ts'
import { binary, formContent } from './form.ts'
import { mcpPaths } from './mcp-path.ts'
import { mayWait, onceHeaders, onceParameters, waitingResponse } from './once.ts'
import { protocolPaths } from './protocol.ts'
import { header, json } from './protocol-fields.ts'

/** The parts that no contract describes. */
const protocols = {
  oauth: 'The authorization server (OAuth 2.0, OpenID Connect)',
  mcp: 'The Model Context Protocol',
}

/** The description of the whole API at `baseUrl` (interface.md, its conventions and section 9: version 1.0.0, one server root). */
export function openApiOf(api: Record<string, Contract>, baseUrl: string) {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Guildhall',
      version: '1.0.0',
      description: 'A community, a library of publishable items and an OAuth 2.0 authorization server.',
      contact: { name: 'The operator of this server', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}/api` }],
    tags: Object.entries({ ...about, ...protocols }).map(([name, description]) => ({ name, description })),
    paths: { ...pathsOf(api), ...protocolPaths, ...mcpPaths },
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'guildhall_session',
          description: 'The session of the web site',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of the authorization server; its scopes count to the letter. One that is bound to a key is sent as `Authorization: DPoP`, with a proof in `DPoP` (RFC 9449).',
        },
        oauth2: {
          type: 'oauth2',
          description: 'How to get one: authorization code with PKCE (S256), for public clients',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/api/auth/oauth2/authorize`,
              tokenUrl: `${baseUrl}/api/auth/oauth2/token`,
              refreshUrl: `${baseUrl}/api/auth/oauth2/token`,
              scopes: Object.fromEntries(Object.entries(scopes).map(([name, { words }]) => [name, words])),
            },
          },
        },
      },
    },
  })
}

function pathsOf(api: Record<string, Contract>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const [slice, contract] of Object.entries(api)) {
    for (const [verb, operation] of Object.entries(contract)) {
      const method = operation.method.toLowerCase()
      paths[operation.path] = { ...paths[operation.path], [method]: describe(slice, verb, operation) }
    }
  }
  return paths
}

function describe(slice: string, verb: string, operation: Operation): ZodOpenApiOperationObject {
  const { path, query, body } = placesOf(operation)
  const fields = operation.deferredBody ?? operation.input
  const optional = body.every((name) => z.safeParse(required(fields.shape[name]), undefined).success)
  return {
    operationId: `${slice}.${verb}`,
    summary: operation.summary,
    description: [operation.description, accessWords(operation.access), budgetWords(operation)]
      .filter(Boolean)
      .join(' '),
    tags: [slice],
    security: securityOf(operation.access),
    requestParams: {
      ...(path.length > 0 && { path: parameters(operation.input, path) }),
      ...(query.length > 0 && { query: parameters(operation.input, query) }),
      ...(isRepeatable(operation) && { header: onceParameters }),
    },
    ...(body.length > 0 && {
      requestBody: {
        required: !optional,
        content: json(pick(fields, body), exampleOf(pick(fields, body), 'input')),
      },
    }),
    ...(operation.upload && {
      requestBody: { required: true, content: { 'multipart/form-data': formContent(operation.upload) } },
    }),
    responses: responsesOf(operation),
  }
}

/** What a call uses up. */
const budgetWords = ({ budget }: Operation) => budget && `Budget: ${budgetInWords(budget)}.`

const pick = ({ shape }: z.ZodObject, names: string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, required(shape[name])])))

/** The same, each with its description on the outside: OpenAPI has it beside the schema of a parameter. */
function parameters(input: z.ZodObject, names: string[]) {
  const described = names.map((name) => {
    const schema: z.ZodType = input.shape[name]
    return [name, schema.meta({ ...schema.meta(), description: descriptionOf(schema) })]
  })
  return z.object(Object.fromEntries(described))
}

/** What a schema says of itself, or what is inside it: a default, an option or a pipe wraps the schema that was described. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description) return description
  const {
    innerType,
    in: input,
    options,
  } = schema._zod.def as { innerType?: z.ZodType; in?: z.ZodType; options?: z.ZodType[] }
  for (const inner of [innerType, input, ...(options ?? [])]) {
    const found = inner && descriptionOf(inner)
    if (found) return found
  }
  return undefined
}

/** Who may call it, as a sentence. */
function accessWords({ credential, scope, roles }: Access): string {
  if (credential === 'none') return 'Open to everyone; no credential is read.'
  if (credential === 'session') return 'Needs the session of a signed-in browser; a token is not enough.'
  if (credential === 'optional') return 'Open to everyone; a session or a token shows the caller more.'
  const needs = `Needs a session or a token${scope ? ` with the scope ${scope}` : ''}.`
  return roles ? `${needs} For ${roles.map((role) => `${role}s`).join(' and ')} only.` : needs
}

function securityOf({ credential, scope }: Access): ZodOpenApiOperationObject['security'] {
  // Scopes belong to the OAuth scheme; a bearer token is the same credential for tools that only know that one.
  const token: Record<string, string[]>[] = [{ bearer: [] }, { oauth2: scope ? [scope] : [] }]
  if (credential === 'none') return []
  if (credential === 'session') return [{ session: [] }]
  return credential === 'required' ? [{ session: [] }, ...token] : [{}, { session: [] }, ...token]
}

function responsesOf(operation: Operation): ZodOpenApiOperationObject['responses'] {
  const { output, status = 200, budget } = operation
  const types = contentTypesOf(output)
  const done = types
    ? {
        description: 'The file',
        content: Object.fromEntries(
          types.map((type) => [type, { schema: type === 'application/json' ? document : binary(type) }]),
        ),
      }
    : { description: 'Done', content: json(output, exampleOf(output, 'output')) }
  const refusals = Map.groupBy(new Set(problemsOf(operation)), (code) => operation.access.area.statusOf(code))
  const answers = [...refusals].sort(([a], [b]) => a - b)
  const headers = { ...(isRepeatable(operation) && onceHeaders), ...budgetHeaders(budget, status) }
  const limited = Object.keys(headers).length > 0 ? { ...done, headers } : done
  return Object.fromEntries([
    [status, limited],
    ...(mayWait(operation) ? [[202, waitingResponse]] : []),
    ...answers.map(([code, codes]) => [code, refusalOf(operation, code, codes)]),
  ])
}

/** A file of JSON is what it says, to who reads the answer by its type. */
const document = { type: 'object', additionalProperties: true } as const

/** A refusal in the words of the operation's area, with an example of every reason there is for it. */
function refusalOf({ access, budget }: Operation, status: number, codes: Code[]) {
  const exampleFor = (code: Code) => [
    code,
    {
      value: access.area.render(
        new Problem(code, sayingOf(code, access) ?? reasons[status] ?? 'Refused'),
        needsRole(access),
      ),
    },
  ]
  const headers = {
    ...(status === statusOf.unauthorized && {
      'WWW-Authenticate': header('Where a token comes from (RFC 9728, 5.1)'),
    }),
    ...((status === statusOf.rate_limited || status === statusOf.unavailable) && retryAfter),
    ...budgetHeaders(budget, status),
  }
  return {
    description: reasons[status] ?? 'Refused',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': { schema: access.area.errorBody, examples: Object.fromEntries(codes.map(exampleFor)) },
    },
  }
}

/** What an operation says can go wrong, and what its access and input imply. */
function problemsOf(operation: Operation): Code[] {
  const { access, input, upload, deferredBody, budget, problems = [] } = operation
  const takesInput = Object.keys(input.shape).length > 0 || upload !== undefined || deferredBody !== undefined
  const implied: Code[] = takesInput ? ['invalid_request'] : []
  if (upload) implied.push('too_large', 'too_slow', 'rate_limited')
  if (access.credential === 'required' || access.credential === 'session') implied.push('unauthorized', 'blocked')
  if (access.credential === 'required' && access.scope) implied.push('insufficient_scope')
  if (access.roles) implied.push('forbidden')
  if (budget) implied.push('rate_limited')
  if (isRepeatable(operation)) implied.push('invalid_request', 'conflict', 'key_reused', 'rate_limited')
  const known = [...implied, ...problems]
  return [...(known.length > 0 ? known : (['method_not_allowed'] as const)), 'unavailable']
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
  [statusOf.forbidden]: 'The scope or the role is missing, or the account is blocked',
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
