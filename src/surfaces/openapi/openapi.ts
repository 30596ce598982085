// OpenAPI 3.1, read off the contracts.
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { contentTypesOf, type UploadRules } from '../../contract/files.ts'
import { type Access, type Contract, type Operation, placesOf } from '../../contract/operation.ts'
import { type Code, statusOf } from '../../contract/problem.ts'

/** The description of the whole API at `baseUrl` (interface.md, sections 0 and 9: version 1.0.0, one server root). */
export function openApiOf(api: Record<string, Contract>, baseUrl: string) {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Guildhall',
      version: '1.0.0',
      description: 'A community, a library of publishable items and an OAuth 2.0 authorization server.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}/api` }],
    tags: Object.keys(api).map((name) => ({ name })),
    paths: pathsOf(api),
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
          description: 'A token of the authorization server; its scopes count to the letter',
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
  const fields = operation.lateBody ?? operation.input
  const optional = body.every((name) => fields.shape[name]!.safeParse(undefined).success)
  return {
    operationId: `${slice}.${verb}`,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [slice],
    security: securityOf(operation.access),
    requestParams: {
      ...(path.length > 0 && { path: pick(operation.input, path) }),
      ...(query.length > 0 && { query: pick(operation.input, query) }),
    },
    ...(body.length > 0 && {
      requestBody: { required: !optional, content: { 'application/json': { schema: pick(fields, body) } } },
    }),
    ...(operation.upload && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(operation.upload) } } },
    }),
    responses: responsesOf(operation),
  }
}

const pick = ({ shape }: z.ZodObject, names: string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, shape[name] as z.ZodType])))

function formSchema({ fields, files }: UploadRules): z.ZodObject {
  const binary = z.string().meta({ override: { type: 'string', format: 'binary' } })
  const parts = Object.entries(files).map(([name, { maxFiles, required }]) => {
    const part = maxFiles === 1 ? binary : z.array(binary).max(maxFiles)
    return [name, required ? part : part.optional()]
  })
  return z.object({ ...fields.shape, ...Object.fromEntries(parts) })
}

function securityOf({ credential, scope }: Access): ZodOpenApiOperationObject['security'] {
  const bearer = { bearer: scope ? [scope] : [] }
  if (credential === 'none') return []
  if (credential === 'session') return [{ session: [] }]
  return credential === 'required' ? [{ session: [] }, bearer] : [{}, { session: [] }, bearer]
}

function responsesOf(operation: Operation): ZodOpenApiOperationObject['responses'] {
  const { access, output, status = 200 } = operation
  const json = (description: string, schema: z.ZodType) => ({
    description,
    content: { 'application/json': { schema } },
  })
  const refusals = problemsOf(operation).map((code) => access.area.statusOf(code))
  const types = contentTypesOf(output)
  const binary = { type: 'string', format: 'binary' } as const
  const done = types
    ? { description: 'The file', content: Object.fromEntries(types.map((type) => [type, { schema: binary }])) }
    : json('Done', output)
  return Object.fromEntries([
    [status, done],
    ...[...new Set(refusals)]
      .sort()
      .map((refusal) => [refusal, json(reasons[refusal] ?? 'Refused', access.area.errorBody)]),
  ])
}

/** What an operation says can go wrong, and what its access and input imply. */
function problemsOf({ access, input, problems = [] }: Operation): Code[] {
  const implied: Code[] = Object.keys(input.shape).length > 0 ? ['invalid_request'] : []
  if (access.credential === 'required' || access.credential === 'session') implied.push('unauthorized', 'blocked')
  return [...implied, ...problems]
}

const reasons: Record<number, string> = {
  [statusOf.invalid_request]: 'The input is not valid; the message names the field',
  [statusOf.unauthorized]: 'No valid credential',
  [statusOf.forbidden]: 'The scope or the role is missing, or the account is blocked',
  [statusOf.not_found]: 'There is no such thing, or the caller may not see it',
  [statusOf.conflict]: 'Something of that name, address or version is there already',
  [statusOf.too_large]: 'The body is too large',
  [statusOf.rate_limited]: 'Too many tries; Retry-After says how long to wait',
}
