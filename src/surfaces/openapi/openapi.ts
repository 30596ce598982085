// OpenAPI 3.1, read off the contracts.
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { about } from '../../api.ts'
import { budgetInWords } from '../../budgets/rules.ts'
import { contentTypesOf } from '../../contract/files.ts'
import {
  type Access,
  type Contract,
  entriesOf,
  isRepeatable,
  type Operation,
  placesOf,
  suggestWords,
} from '../../contract/operation.ts'
import { scopes } from '../../contract/scopes.ts'
import { required } from '../../runtime/untyped.ts'
import { answerName, fileName } from './component-names.ts'
import { rendering } from './component-schemas.ts'
import { named, shared, unshared } from './components.ts'
import { exampleOf } from './examples.ts'
import { binary, formContent } from './form.ts'
import { mcpPaths } from './mcp-path.ts'
import { mayWait, onceHeaders, onceParameters, waitingResponse } from './once.ts'
import { protocolPaths } from './protocol.ts'
import { budgetHeaders, header, json } from './protocol-fields.ts'
import { refusalsOf } from './refusals.ts'
import { asTables, tableHeaders, tableInput } from './tables.ts'

/** The parts that no contract describes. */
const protocols = {
  oauth: 'The authorization server (OAuth 2.0, OpenID Connect)',
  mcp: 'The Model Context Protocol',
}

type Api = Record<string, Contract>

/** The description of the whole API at `baseUrl` (interface.md, its conventions and section 9: version 1.0.0, one server root). */
export const openApiOf = (api: Api, baseUrl: string) => shared(described(api, baseUrl))

/** The same without references but those to schemas that contracts name: everything stands where it is used. */
export const wholeOpenApiOf = (api: Api, baseUrl: string) => unshared(described(api, baseUrl))

function described(api: Api, baseUrl: string) {
  const document: ZodOpenApiObject = {
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
  }
  return createDocument(document, rendering)
}

function pathsOf(api: Api): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const [slice, contract] of Object.entries(api)) {
    for (const [verb, operation] of Object.entries(contract)) {
      const method = operation.method.toLowerCase()
      const described = describe(slice, verb, operation)
      paths[operation.path] = { ...paths[operation.path], [method]: described }
      const { formerPath: former } = operation
      if (!former) continue
      const operationId = `${described.operationId}Formerly`
      paths[former] = { ...paths[former], [method]: { ...described, operationId, deprecated: true } }
    }
  }
  return paths
}

function describe(slice: string, verb: string, operation: Operation): ZodOpenApiOperationObject {
  const { path, query: given, body } = placesOf(operation)
  const isList = entriesOf(operation) !== undefined
  const query = isList ? [...given, ...Object.keys(tableInput)] : given
  const fields = operation.deferredBody ?? operation.input
  const optional = body.every((name) => z.safeParse(required(fields.shape[name]), undefined).success)
  return {
    operationId: `${slice}.${verb}`,
    ...(operation.replacedBy && { deprecated: true }),
    summary: operation.summary,
    description: [
      operation.description,
      replacedWords(operation),
      suggestWords(operation),
      accessWords(operation.access),
      budgetWords(operation),
    ]
      .filter(Boolean)
      .join(' '),
    tags: [slice],
    security: securityOf(operation.access),
    requestParams: {
      ...(path.length > 0 && { path: parameters(operation.input, path) }),
      ...(query.length > 0 && {
        query: parameters(isList ? operation.input.extend(tableInput) : operation.input, query),
      }),
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

/** What to call instead. */
const replacedWords = ({ replacedBy }: Operation) => replacedBy && `Deprecated: \`${replacedBy}\` says the same.`

/** What a call uses up. */
const budgetWords = ({ budget }: Operation) => budget && `Budget: ${budgetInWords(budget)}.`

const pick = ({ shape }: z.ZodObject, names: string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, required(shape[name])])))

/** The same, each with its description on the outside, and whether it is deprecated: OpenAPI has them beside the schema of a parameter. */
function parameters(input: z.ZodObject, names: string[]) {
  const described = names.map((name) => {
    const schema: z.ZodType = input.shape[name]
    const meta = schema.meta()
    const param = meta?.deprecated && { param: { deprecated: true } }
    const list = listIn(schema)
    if (list) return [name, list.optional().meta({ description: descriptionOf(schema), param: WITH_COMMAS })]
    return [name, schema.meta({ ...meta, description: descriptionOf(schema), ...param })]
  })
  return z.object(Object.fromEntries(described))
}

/** A list in a query with commas between its values. One value alone is such a list. */
const WITH_COMMAS = { style: 'form', explode: false } as const

/** The list that a filter takes beside one value (src/contract/several.ts). */
function listIn(schema: z.core.$ZodType): z.ZodArray | undefined {
  const { options: [one, list] = [], ...wrapper } = schema._zod.def as Wrapper
  if (list instanceof z.ZodArray && list.element === one) return list
  for (const inner of insideOf(wrapper)) {
    const found = listIn(inner)
    if (found) return found
  }
  return undefined
}

/** What a default, an option or a pipe wraps. */
interface Wrapper {
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
}

const insideOf = ({ innerType, in: input, out }: Wrapper) =>
  [innerType, input, out].filter((inner) => inner !== undefined)

/** What a schema says of itself, or what is inside it: a default, an option or a pipe wraps the schema that was described. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description) return description
  const { options = [], ...wrapper } = schema._zod.def as Wrapper
  for (const inner of [...insideOf(wrapper), ...options]) {
    const found = descriptionOf(inner)
    if (found) return found
  }
  return undefined
}

/** Who may call it, as a sentence. */
function accessWords({ credential, scope, roles, boardModerators }: Access): string {
  if (credential === 'none') return 'Open to everyone; no credential is read.'
  if (credential === 'session') return 'Needs the session of a signed-in browser; a token is not enough.'
  if (credential === 'optional') return 'Open to everyone; a session or a token shows the caller more.'
  const needs = `Needs a session or a token${scope ? ` with the scope ${scope}` : ''}.`
  const ofBoard = boardModerators ? ', and those who moderate its board' : ''
  return roles ? `${needs} For ${roles.map((role) => `${role}s`).join(' and ')}${ofBoard} only.` : needs
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
  const isList = entriesOf(operation) !== undefined
  const types = contentTypesOf(output)
  const done = types
    ? {
        description: 'The file',
        content: Object.fromEntries(
          types.map((type) => [type, { schema: type === 'application/json' ? document : binary(type) }]),
        ),
      }
    : {
        description: 'Done',
        content: { ...json(output, exampleOf(output, 'output')), ...(isList && asTables) },
      }
  const limits = budgetHeaders(budget, status)
  const writes = isRepeatable(operation)
  const headers = { ...(writes && onceHeaders), ...limits, ...(isList && tableHeaders) }
  const answer = Object.keys(headers).length > 0 ? { ...done, headers } : done
  const name = types ? fileName(types) : answerName(output, { writes, limited: 'RateLimit' in limits })
  return Object.fromEntries([
    [status, name ? named(name, answer) : answer],
    ...(mayWait(operation) ? [[202, waitingResponse]] : []),
    ...('redirect' in operation.input.shape ? [[302, elsewhereResponse]] : []),
    ...refusalsOf(operation),
  ])
}

/** Of a file, to callers that follow it (contract/files.ts). */
const elsewhereResponse = named('AtTheStore', {
  description: 'The file is at the store of this server; the address is good for five minutes',
  headers: { Location: header('Where the file is') },
})

/** A file of JSON is what it says, to who reads the answer by its type. */
const document = { type: 'object', additionalProperties: true } as const
