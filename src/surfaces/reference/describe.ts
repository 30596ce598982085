// What a reader wants to know of each operation, read off the contracts: for docs/reference.md and for the pages of the site.
import { z } from 'zod'
import { budgetInWords } from '../../budgets/rules.ts'
import { contentTypesOf } from '../../contract/files.ts'
import { type Access, type Contract, type Operation, placesOf, suggestWords } from '../../contract/operation.ts'
import { required } from '../../runtime/untyped.ts'
import { type Schema, schemaIn } from '../json-schema.ts'
import { exampleOf } from '../openapi/examples.ts'
import { type Samples, samplesOf, type Trial, trialOf } from './samples.ts'

export interface Field {
  name: string
  /** Where it travels. */
  place: 'path' | 'query' | 'body' | 'form' | 'file'
  /** In words: `string (1-100 characters)`. */
  type: string
  isRequired: boolean
  /** Empty where its name says all. */
  description: string
}

export interface OperationReference {
  /** The part and the verb, with a dot between them. */
  name: string
  method: string
  /** Below /api. */
  path: string
  /** Markdown. */
  summary: string
  description: string
  who: string
  fields: Field[]
  budget: string | null
  audit: string[]
  status: number
  /** The fields of the answer, or its media types, in Markdown. */
  answer: string
  /** An answer as JSON; null where it is a file, a stream or nothing. */
  example: string | null
  problems: string[]
  samples: Samples
  trial: Trial | null
}

/** The operations of one contract, which is a part of the API. */
export const describePart = (part: string, contract: Contract): OperationReference[] =>
  Object.entries(contract).map(([verb, operation]) => describe(`${part}.${verb}`, operation))

function describe(name: string, operation: Operation): OperationReference {
  const { method, path, summary, budget, audit = [], output } = operation
  const isJson = output instanceof z.ZodObject && !contentTypesOf(output)
  return {
    ...{ name, method, path, summary },
    description: [operation.description, ...deprecatedWords(operation), suggestWords(operation)]
      .filter(Boolean)
      .join(' '),
    who: whoOf(operation.access),
    fields: fieldsOf(operation),
    budget: budget ? budgetInWords(budget) : null,
    audit: audit.map((action) => action.name),
    status: operation.status ?? 200,
    answer: answerOf(operation),
    example: isJson ? JSON.stringify(exampleOf(output, 'output'), null, 2) : null,
    problems: [...new Set([...(operation.problems ?? []), ...(budget ? ['rate_limited'] : [])])],
    samples: samplesOf(name, operation),
    trial: trialOf(operation),
  }
}

/** Which way of calling it is deprecated, in Markdown. */
const deprecatedWords = ({ method, formerPath, replacedBy }: Operation): string[] => [
  ...(replacedBy ? [`**Deprecated**: \`${replacedBy}\` says the same.`] : []),
  ...(formerPath ? [`\`${method} ${formerPath}\` is deprecated, and says the same.`] : []),
]

function whoOf({ credential, scope, roles, boardModerators }: Access): string {
  if (credential === 'none') return 'anybody'
  if (credential === 'session') return 'a user who is signed in to the site'
  if (credential === 'optional') return `anybody${scope ? `; a token counts with \`${scope}\`` : ''}`
  const ofBoard = boardModerators ? ', or who moderates its board' : ''
  return `a session, or a token${scope ? ` with \`${scope}\`` : ''}${roles ? `; ${roles.join(' or ')}${ofBoard}` : ''}`
}

function fieldsOf(operation: Operation): Field[] {
  const { path, query, body } = placesOf(operation)
  const { upload, input } = operation
  return [
    ...fieldsIn(input, path, 'path'),
    ...fieldsIn(input, query, 'query'),
    ...fieldsIn(operation.deferredBody ?? input, body, 'body'),
    ...(upload ? fieldsIn(upload.fields, Object.keys(upload.fields.shape), 'form') : []),
    ...Object.entries(upload?.files ?? {}).map(([name, { maxFiles, maxBytes, required = false }]) => ({
      ...({ name, place: 'file', isRequired: required, description: '' } as const),
      type: `${maxFiles === 1 ? 'a file' : `up to ${maxFiles} files`} of at most ${maxBytes} bytes`,
    })),
  ]
}

const fieldsIn = (input: z.ZodObject, names: readonly string[], place: Field['place']): Field[] =>
  names.map((name) => {
    const field = required(input.shape[name])
    const schema = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
    const isRequired = !z.safeParse(field, undefined).success
    const type = schema.deprecated ? `deprecated ${words(schema)}` : words(schema)
    return { name, place, type, isRequired, description: schema.description ?? '' }
  })

function words({ type, enum: values, const: value, minLength, maxLength, anyOf, items }: Schema): string {
  if (values) return values.map(plain).join(' | ')
  if (value !== undefined) return plain(value)
  if (anyOf) {
    const [one, list] = anyOf.map(words)
    return list === `list of ${one}` ? `${one}; several with commas` : anyOf.map(words).join(' | ')
  }
  if (items) return `list of ${words(schemaIn(items))}`
  const length = maxLength === undefined ? '' : ` (${minLength ?? 0}-${maxLength} characters)`
  return `${[type ?? 'any'].flat().join(' | ')}${length}`
}

const plain = (value: unknown) => (value === '' ? 'empty' : String(value))

function answerOf({ output }: Operation): string {
  const types = contentTypesOf(output)
  if (types) return types.map((type) => `\`${type}\``).join(' or ')
  if (output instanceof z.ZodObject) return `\`{ ${Object.keys(output.shape).join(', ')} }\``
  return output instanceof z.ZodNullable ? 'an object or `null`' : 'JSON'
}
