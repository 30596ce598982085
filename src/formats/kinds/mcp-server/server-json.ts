// server.json of the MCP Registry, by the rules of its schema of 2025-12-11 (static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json;
// modelcontextprotocol/registry, docs/reference/server-json). Fields that it does not name are kept. Nothing here uses an API of Node.
import { z } from 'zod'

const uri = z.url()
const Input = z.looseObject({
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
})
export type Input = z.infer<typeof Input>

const InputWithVariables = Input.extend({ variables: z.record(z.string(), Input).optional() })
const KeyValue = InputWithVariables.extend({ name: z.string() })
export type KeyValue = z.infer<typeof KeyValue>

const Positional = InputWithVariables.extend({
  type: z.literal('positional'),
  valueHint: z.string().optional(),
  isRepeated: z.boolean().optional(),
}).refine((given) => given.valueHint !== undefined || given.value !== undefined, 'expected valueHint or value')
const Named = InputWithVariables.extend({
  type: z.literal('named'),
  name: z.string(),
  isRepeated: z.boolean().optional(),
})
const Argument = z.union([Positional, Named])
export type Argument = z.infer<typeof Argument>

const httpUrl = z.string().regex(/^https?:\/\/[^\s]+$/, 'expected an address that begins with http:// or https://')
const http = { url: httpUrl, headers: z.array(KeyValue).optional() }
const Stdio = z.looseObject({ type: z.literal('stdio') })
const Http = z.looseObject({ type: z.literal('streamable-http'), ...http })
const Sse = z.looseObject({ type: z.literal('sse'), ...http })

const Package = z.looseObject({
  registryType: z.string(),
  registryBaseUrl: uri.optional(),
  identifier: z.string(),
  version: z
    .string()
    .min(1)
    .refine((version) => version !== 'latest', 'expected one version, not latest')
    .optional(),
  fileSha256: z
    .string()
    .regex(/^[a-f0-9]{64}$/, 'expected a SHA-256 in lower-case hex')
    .optional(),
  runtimeHint: z.string().optional(),
  runtimeArguments: z.array(Argument).optional(),
  packageArguments: z.array(Argument).optional(),
  environmentVariables: z.array(KeyValue).optional(),
  transport: z.discriminatedUnion('type', [Stdio, Http, Sse]),
})
export type Package = z.infer<typeof Package>

const variables = { variables: z.record(z.string(), Input).optional() }
const Remote = z.discriminatedUnion('type', [Http.extend(variables), Sse.extend(variables)])
export type Remote = z.infer<typeof Remote>

const Icon = z.looseObject({
  src: uri.max(255),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
  sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)).optional(),
  theme: z.enum(['light', 'dark']).optional(),
})

export const ServerJson = z.looseObject({
  $schema: uri.optional(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 'expected a name such as com.example/weather'),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: uri.optional(),
  repository: z
    .looseObject({
      url: uri,
      source: z.string(),
      id: z.string().optional(),
      subfolder: z.string().optional(),
    })
    .optional(),
  icons: z.array(Icon).optional(),
  packages: z.array(Package).optional(),
  remotes: z.array(Remote).optional(),
  _meta: z
    .looseObject({
      'io.modelcontextprotocol.registry/publisher-provided': z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
})
export type ServerJson = z.infer<typeof ServerJson>

/** An environment variable or a header that a server is given. */
export interface GivenValue {
  name: string
  place: 'environment' | 'header'
  secret: boolean
  required: boolean
}

const given = (place: GivenValue['place'], all: readonly KeyValue[] = []): GivenValue[] =>
  all.map(({ name, isSecret = false, isRequired = false, variables: inner = {} }) => ({
    ...{ name, place, required: isRequired },
    secret: isSecret || Object.values(inner).some((one) => one.isSecret),
  }))

/** Everything that a server is given, by any package and remote, each once; a secret anywhere is a secret. */
export function givenTo({ packages = [], remotes = [] }: ServerJson): GivenValue[] {
  const all = [
    ...packages.flatMap(({ environmentVariables, transport }) => [
      ...given('environment', environmentVariables),
      ...(transport.type === 'stdio' ? [] : given('header', transport.headers)),
    ]),
    ...remotes.flatMap(({ headers }) => given('header', headers)),
  ]
  const byName = new Map<string, GivenValue>()
  for (const one of all) {
    const known = byName.get(`${one.place} ${one.name}`)
    byName.set(`${one.place} ${one.name}`, { ...one, secret: one.secret || known?.secret === true })
  }
  return [...byName.values()]
}
