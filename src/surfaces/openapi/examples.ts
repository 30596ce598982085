// Examples of inputs and answers, made from the schemas: what fields of that name hold there (example-fields.ts), what a schema
// says of itself, or the simplest value there is. A test parses every one of them.
import { z } from 'zod'
import { fieldsOf, usual } from './example-fields.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** What an example is for: given to the API or coming from it, in an operation of which slice. */
export interface Use {
  io: 'input' | 'output'
  slice: string
}

/** Stands where nobody said what a text may look like. A test holds that it stands nowhere. */
export const UNKNOWN_TEXT = 'text'

/** A value that fits. */
export function exampleOf(type: z.ZodType, { io, slice }: Use): unknown {
  const schema = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema
  const defs = schema.$defs ?? {}
  /** `of` is what the value is a field of: a named schema, a field that holds an object, or the slice. */
  function sample(given: Schema, name: string, of: string): unknown {
    const known = fieldsOf[of]?.[name]
    if (known !== undefined && allows(given, known)) return known
    if (given.$ref) {
      const id = given.$ref.slice('#/$defs/'.length)
      return sample(defs[id]!, name, id)
    }
    if (given.const !== undefined) return given.const
    if (usual[name] !== undefined && allows(given, usual[name])) return usual[name]
    if ('example' in given) return given['example']
    if (given.enum) return given.enum[0]
    const options = (given.anyOf ?? given.oneOf)?.filter(({ type }) => type !== 'null') as Schema[] | undefined
    // The last of several says most: the first are the empty ones.
    if (options) return sample(options.at(-1)!, name, of)
    return given.default ?? simple(given, name, of)
  }
  function simple({ type, properties = {}, items, minimum = 0 }: Schema, name: string, of: string): unknown {
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object': {
        const owner = name in fieldsOf ? name : of
        const fields = Object.entries(properties) as [string, Schema][]
        return Object.fromEntries(fields.map(([field, inner]) => [field, sample(inner, field, owner)]))
      }
      case 'array':
        return [sample(items as Schema, name, of)]
      case 'integer':
      case 'number':
        return Math.max(minimum, 3)
      case 'boolean':
        return true
      default:
        return UNKNOWN_TEXT
    }
  }
  const { id } = schema as { id?: string }
  return sample(schema, '', id ?? slice)
}

/** Whether a schema has room for a value, as far as its type tells. */
function allows(schema: Schema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value
  if (schema.enum) return (schema.enum as unknown[]).includes(value)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.some((option) => allows(option as Schema, value))
  if (schema.$ref || schema.type === undefined) return false
  const types: unknown[] = [schema.type].flat()
  if (typeof value === 'number')
    return types.includes('number') || (Number.isInteger(value) && types.includes('integer'))
  if (value === null) return types.includes('null')
  return types.includes(Array.isArray(value) ? 'array' : typeof value)
}
