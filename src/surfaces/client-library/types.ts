// The types of inputs and outputs for the client library: client/src/derived/api.ts.
import { z } from 'zod'
import { contentTypesOf, isStream } from '../../contract/files.ts'
import type { Contract, Operation } from '../../contract/operation.ts'
import { pagingOf } from '../../contract/operation.ts'
import { required } from '../../runtime/untyped.ts'
import { type Schema, schemaIn } from '../json-schema.ts'
import { commentOf, type TypeText, typeText } from './type-text.ts'

const OPENING = `// The inputs and outputs of every operation. Made from the contracts by \`npm run derive\`; do not edit.
import type { Call, DownloadCall, EventCall, FileInput, ListCall, OptionalCall, OptionalListCall } from '../call.ts'
`

type Direction = 'input' | 'output'

/** The file with the types. What schemas name (`meta({ id })`) is a type of that name. */
export function typesOf(api: Record<string, Contract>): string {
  const names = new Definitions()
  const slices = Object.entries(api).map(([slice, contract]) => {
    const lines = Object.entries(contract).flatMap(([verb, operation]) => [
      ...commentOf(wordsOf(operation), '    '),
      `    ${verb}: ${callText(operation, names)}`,
    ])
    return [`  ${slice}: {`, ...lines, ...eachText(contract, names), '  }'].join('\n')
  })
  const operations = [
    '/** Every operation, by slice and verb. */',
    'export interface Operations {',
    ...slices,
    '}',
  ].join('\n')
  return `${[OPENING, ...names.texts(), operations].join('\n')}\n`
}

/** The entries of the list of a slice have a short name. */
function eachText({ list }: Contract, names: Definitions): string[] {
  if (!list || !pagingOf(list)) return []
  return ['    /** The entries of `list`, page after page. */', `    all: ${callText(list, names)}['all']`]
}

function wordsOf({ summary, description, access: { scope, credential } }: Operation): string {
  const who = credential === 'session' ? 'Needs the session of the site.' : scope && `Scope: ${scope}.`
  return [`${summary}.`, description, who].filter(Boolean).join(' ')
}

function callText(operation: Operation, names: Definitions): string {
  const { output } = operation
  const { text: input, isOptional } = inputText(operation, names)
  if (isStream(output)) return `EventCall<${input}>`
  if (contentTypesOf(output)) return `DownloadCall<${input}>`
  const answer = names.text(output, 'output', '    ')
  const paging = pagingOf(operation)
  if (!paging) return `${isOptional ? 'OptionalCall' : 'Call'}<${input}, ${answer}>`
  const entries = (output as z.ZodObject).shape[paging.entries] as z.ZodArray
  const entry = names.text(entries.element as z.ZodType, 'output', '    ')
  return `${isOptional ? 'OptionalListCall' : 'ListCall'}<${input}, ${answer}, ${entry}>`
}

/** Path, query, body, form fields and files of a call, as one type. */
function inputText({ input, upload, deferredBody }: Operation, names: Definitions) {
  const schemas = [input, ...(upload ? [upload.fields] : []), ...(deferredBody ? [deferredBody] : [])]
  const filled = schemas.filter(({ shape }) => Object.keys(shape).length > 0)
  const files = Object.entries(upload?.files ?? {}).map(([name, { maxFiles, required }]) => {
    const type = maxFiles === 1 ? 'FileInput' : 'FileInput | FileInput[]'
    return `      ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`
  })
  const texts = [
    ...filled.map((schema) => names.text(schema, 'input', '    ')),
    ...(files.length > 0 ? [`{\n${files.join('\n')}\n    }`] : []),
  ]
  const isOptional =
    schemas.every((schema) => z.safeParse(schema, {}).success) &&
    Object.values(upload?.files ?? {}).every(({ required }) => !required)
  return { text: texts.join(' & ') || 'Record<string, never>', isOptional }
}

/** The named types of the file. A name that is sent and answered in two shapes has `Input` behind that of what is sent. */
class Definitions {
  readonly #texts = new Map<string, string>()

  text(type: z.ZodType, direction: Direction, indent: string): string {
    const { $defs = {}, ...schema } = z.toJSONSchema(type, { io: direction, unrepresentable: 'any' })
    const text: TypeText = {
      loose: direction === 'input',
      nameOf: (name) => this.#define(name, schemaIn(required($defs[name])), text),
    }
    return typeText(schemaIn(schema), text, indent)
  }

  #define(name: string, schema: Schema, text: TypeText): string {
    const body = typeText(schema, text)
    const definition = [...commentOf(schema.description, ''), `export type ${name} = ${body}`].join('\n')
    const known = this.#texts.get(name)
    if (known === undefined || known === definition) {
      this.#texts.set(name, definition)
      return name
    }
    const other = `${name}Input`
    this.#texts.set(other, definition.replace(`export type ${name} `, `export type ${other} `))
    return other
  }

  /** Every definition, by name. */
  texts(): string[] {
    return [...this.#texts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => `${text}\n`)
  }
}
