// The columns of a list as a table, read off its contract: a column for each value in an entry, with the names on the way to it and dots between.
import { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import { entriesOf } from '../../contract/operation.ts'
import type { CsvCell } from '../../formats/csv.ts'
import { required } from '../../runtime/untyped.ts'
import { type Schema, schemaIn } from '../json-schema.ts'

export interface Column {
  name: string
  /** The names of the fields; a list on the way is gone through. */
  path: readonly string[]
}

const known = new WeakMap<Operation, readonly Column[]>()

/** The columns of the entries of a list, in the order of its contract. */
export function columnsOf(operation: Operation): readonly Column[] {
  let columns = known.get(operation)
  if (!columns) {
    const schema = z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' })
    const entries = schemaIn(schema.properties?.[required(entriesOf(operation))])
    columns = new SchemaColumns(schema).of(schemaIn(entries.items))
    known.set(operation, columns)
  }
  return columns
}

class SchemaColumns {
  readonly #definitions: Readonly<Record<string, Schema>>

  constructor({ $defs = {} }: Schema) {
    this.#definitions = $defs as Record<string, Schema>
  }

  /** An entry that is no object is a table with one column. */
  of(entry: Schema): readonly Column[] {
    const paths = this.#paths(entry, [])
    return paths.map((path) => ({ name: path.join('.') || 'value', path }))
  }

  /** The paths to values below a schema. What has no fixed fields is one value, and so is what would go round in a circle. */
  #paths(schema: Schema, within: readonly Schema[]): string[][] {
    const forms = this.#forms(schema)
    if (forms.length === 0 || !forms.every(hasParts) || forms.some((form) => within.includes(form))) return [[]]
    const inner = [...within, ...forms]
    const paths = forms.flatMap(({ properties, items }) =>
      properties
        ? Object.entries(properties).flatMap(([name, field]) =>
            this.#paths(schemaIn(field), inner).map((path) => [name, ...path]),
          )
        : this.#paths(schemaIn(items), inner),
    )
    return withoutRepeats(paths)
  }

  /** What a value may be, besides null. */
  #forms(schema: Schema): Schema[] {
    if (schema.$ref) return this.#forms(required(this.#definitions[schema.$ref.replace('#/$defs/', '')]))
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (choices) return choices.flatMap((choice) => this.#forms(schemaIn(choice)))
    return schema.type === 'null' ? [] : [schema]
  }
}

/** Whether it is a list, or has the fields that its contract names and no others. */
const hasParts = ({ properties, additionalProperties, items }: Schema): boolean =>
  items !== undefined || (properties !== undefined && !additionalProperties)

/** Of two fields with a name, one with values of its own and one without, the whole is the value. */
function withoutRepeats(paths: readonly string[][]): string[][] {
  const byName = new Map(paths.map((path) => [path.join('.'), path]))
  const isBelow = (path: string[]) => path.some((_, at) => at > 0 && byName.has(path.slice(0, at).join('.')))
  return [...byName.values()].filter((path) => !isBelow(path))
}

/** The value of an entry in a column: several of a list have `; ` between them, and what has no fixed fields is JSON. */
export function cellOf(entry: unknown, { path }: Column): CsvCell {
  const values = valuesAt(entry, path)
  if (values.length === 1) return scalar(values[0])
  return values.map((value) => scalar(value) ?? '').join('; ')
}

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path))
  const [name, ...rest] = path
  if (name === undefined) return [value]
  return valuesAt((value as Readonly<Record<string, unknown>> | null | undefined)?.[name], rest)
}

const scalar = (value: unknown): CsvCell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CsvCell)
