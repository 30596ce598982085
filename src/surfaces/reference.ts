// The reference page, read off the contracts: docs/reference.md.
import { z } from 'zod'
import { budgetInWords } from '../budgets/rules.ts'
import { contentTypesOf } from '../contract/files.ts'
import { type Access, type Contract, type Operation, placesOf } from '../contract/operation.ts'
import { schemaKinds, schemaPath } from '../formats/schemas.ts'
import { required } from '../runtime/untyped.ts'

const OPENING = `# Reference

Made from the contracts by \`npm run derive\`; do not edit. Every path is below \`/api\`. The same, for machines, is at
\`/api/openapi.json\`. An input without a mark is required; \`?\` marks what may be left out. JSON Schemas of the files that the
library takes are at ${schemaKinds.map((kind) => `\`${schemaPath(kind)}\``).join(', ')}.
`

/** The whole API as Markdown: a section a slice, an entry an operation. */
export function referenceOf(api: Record<string, Contract>): string {
  const slices = Object.entries(api).map(([slice, contract]) => {
    const operations = Object.entries(contract).map(([verb, operation]) => entry(`${slice}.${verb}`, operation))
    return [`## ${slice}`, ...operations].join('\n\n')
  })
  return `${[OPENING.trimEnd(), ...slices].join('\n\n')}\n`
}

function entry(name: string, operation: Operation): string {
  const { method, path, summary, description, budget, audit = [] } = operation
  const problems = [...new Set([...(operation.problems ?? []), ...(budget ? ['rate_limited'] : [])])]
  const lines = [
    `### ${name}`,
    `\`${method} ${path}\``,
    [summary, description].filter(Boolean).join('. '),
    [
      `- who: ${whoOf(operation.access)}`,
      ...inputLines(operation),
      ...(budget ? [`- budget: ${budgetInWords(budget)}`] : []),
      ...(audit.length > 0 ? [`- audit log: ${audit.map((action) => action.name).join(', ')}`] : []),
      `- answers: ${operation.status ?? 200} ${answerOf(operation)}`,
      ...(problems.length > 0 ? [`- can fail with: ${problems.join(', ')}`] : []),
    ].join('\n'),
  ]
  return lines.join('\n\n')
}

function whoOf({ credential, scope, roles }: Access): string {
  if (credential === 'none') return 'anybody'
  if (credential === 'session') return 'a user who is signed in to the site'
  if (credential === 'optional') return `anybody${scope ? `; a token counts with \`${scope}\`` : ''}`
  return `a session, or a token${scope ? ` with \`${scope}\`` : ''}${roles ? `; ${roles.join(' or ')}` : ''}`
}

function inputLines(operation: Operation): string[] {
  const { path, query, body } = placesOf(operation)
  const line = (where: string, names: string[], input: z.ZodObject) =>
    names.length === 0
      ? []
      : [
          `- ${where}: ${names.map((name) => `\`${name}${isOptional(input, name) ? '?' : ''}\` ${typeOf(input, name)}`).join(', ')}`,
        ]
  const { upload } = operation
  const files = Object.entries(upload?.files ?? {}).map(
    ([name, { maxFiles, maxBytes, required }]) =>
      `\`${name}${required ? '' : '?'}\` ${maxFiles === 1 ? 'a file' : `up to ${maxFiles} files`} of at most ${maxBytes} bytes`,
  )
  return [
    ...line('path', path, operation.input),
    ...line('query', query, operation.input),
    ...line('body', body, operation.deferredBody ?? operation.input),
    ...(upload ? line('form', Object.keys(upload.fields.shape), upload.fields) : []),
    ...(files.length > 0 ? [`- files: ${files.join(', ')}`] : []),
  ]
}

const fieldOf = ({ shape }: z.ZodObject, name: string) => required(shape[name])

const isOptional = (input: z.ZodObject, name: string) => z.safeParse(fieldOf(input, name), undefined).success

type Schema = z.core.JSONSchema.BaseSchema

const typeOf = (input: z.ZodObject, name: string): string =>
  words(z.toJSONSchema(fieldOf(input, name), { io: 'input', unrepresentable: 'any' }))

function words({ type, enum: values, const: value, minLength, maxLength, anyOf, items }: Schema): string {
  if (values) return values.map(plain).join(' \\| ')
  if (value !== undefined) return plain(value)
  if (anyOf) return anyOf.map(words).join(' \\| ')
  if (items) return `list of ${words(items as Schema)}`
  const length = maxLength === undefined ? '' : ` (${minLength ?? 0}-${maxLength} characters)`
  return `${[type ?? 'any'].flat().join(' \\| ')}${length}`
}

const plain = (value: unknown) => (value === '' ? 'empty' : String(value))

function answerOf({ output }: Operation): string {
  const types = contentTypesOf(output)
  if (types) return types.map((type) => `\`${type}\``).join(' or ')
  if (output instanceof z.ZodObject) return `\`{ ${Object.keys(output.shape).join(', ')} }\``
  return output instanceof z.ZodNullable ? 'an object or `null`' : 'JSON'
}
