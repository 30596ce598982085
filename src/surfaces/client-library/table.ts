// The operations as data for the client library: client/src/derived/operations.ts. One line each.
import { z } from 'zod'
import { contentTypesOf, isStream } from '../../contract/files.ts'
import {
  type Contract,
  isIdempotent,
  isRepeatable,
  type Operation,
  pagingOf,
  placesOf,
} from '../../contract/operation.ts'
import { statusOf } from '../../contract/problem.ts'
import { type Schema, schemaIn } from '../json-schema.ts'

const OPENING = `// Every operation as data. Made from the contracts by \`npm run derive\`; do not edit.
import type { OperationTable } from '../operation.ts'
`

/** The file with the table of operations and the codes of errors. */
export function operationTableOf(api: Record<string, Contract>): string {
  const slices = Object.entries(api).map(([slice, contract]) => {
    const lines = Object.entries(contract).map(([verb, operation]) => `    ${verb}: ${literal(rowOf(operation))},`)
    return [`  ${slice}: {`, ...lines, '  },'].join('\n')
  })
  return `${[OPENING, 'export const operations: OperationTable = {', ...slices, '}'].join('\n')}\n\n${codes()}`
}

/** What a client must know to call an operation; what is absent does not apply. */
function rowOf(operation: Operation): Record<string, unknown> {
  const { method, path, access, upload, output } = operation
  const { query, body } = placesOf(operation)
  const values = valuesOf(operation, body)
  const response = isStream(output) ? 'stream' : contentTypesOf(output) && 'file'
  return {
    method,
    path,
    credential: access.credential,
    scope: access.scope,
    query: query.length > 0 ? query : undefined,
    body: body.length > 0 ? body : undefined,
    values: values.length > 0 ? values : undefined,
    fields: upload && Object.keys(upload.fields.shape),
    files:
      upload &&
      Object.fromEntries(
        Object.entries(upload.files).map(([name, { maxBytes, maxFiles }]) => [name, { maxBytes, maxFiles }]),
      ),
    response,
    repeatable: isRepeatable(operation) || isIdempotent(operation) || undefined,
    paging: pagingOf(operation),
  }
}

/** The fields of a JSON body that cannot be texts: numbers, lists and the like. */
function valuesOf({ input, deferredBody }: Operation, body: readonly string[]): string[] {
  const schema = z.toJSONSchema(deferredBody ?? input, { io: 'input', unrepresentable: 'any' })
  const { properties = {}, $defs = {} } = schema
  // A schema with a name of its own is only referred to.
  const isText = ({ type, anyOf, $ref }: Schema): boolean =>
    type === 'string' ||
    (anyOf ?? []).some((option) => isText(schemaIn(option))) ||
    ($ref !== undefined && isText(schemaIn($defs[$ref.slice('#/$defs/'.length)])))
  return body.filter((name) => !isText(schemaIn(properties[name])))
}

function codes(): string {
  const entries = Object.entries(statusOf).map(([code, status]) => `  ${code}: ${status},`)
  return [
    '/** Every code of an error, with its status. */',
    'export const statusOfCode = {',
    ...entries,
    '} as const',
    '',
  ].join('\n')
}

/** A value as TypeScript, without what is undefined. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return fields.length === 0 ? '{}' : `{ ${fields.map(([name, inner]) => `${name}: ${literal(inner)}`).join(', ')} }`
}
