// JSON Schema as TypeScript: what the schemas of contracts use of it.
import { type Schema, schemaIn } from '../json-schema.ts'

/** What every type is written with. */
export interface TypeText {
  /** The name that a `$ref` has in the file. */
  nameOf(definition: string): string
  /** Whether fields that may be left out may also be given as undefined: what callers send. */
  loose: boolean
}

/** A schema as a type. `indent` is the depth of the line that it begins on. */
export function typeText(schema: Schema, text: TypeText, indent = ''): string {
  if (schema.$ref) return text.nameOf(schema.$ref.slice('#/$defs/'.length))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return union(options.map((option) => typeText(schemaIn(option), text, indent)))
  if (schema.allOf) return schema.allOf.map((part) => typeText(schemaIn(part), text, indent)).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type }, text, indent)))
  switch (schema.type) {
    case 'object':
      return objectText(schema, text, indent)
    case 'array':
      return `Array<${typeText(schemaIn(schema.items), text, indent)}>`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function objectText(schema: Schema, text: TypeText, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, given]) => {
    const field = schemaIn(given)
    const type = typeText(field, text, inner)
    const mark = required.includes(name) ? '' : '?'
    return [
      ...commentOf(field.description, inner),
      `${inner}${name}${mark}: ${type}${mark && text.loose ? ' | undefined' : ''}`,
    ]
  })
  // Only a schema that says so has further fields: that of the input drops unknown ones, so a caller need not write them.
  const further =
    typeof additionalProperties === 'object' ? [`${inner}[name: string]: ${furtherText(schema, text, inner)}`] : []
  const all = [...lines, ...further]
  return all.length === 0 ? 'Record<string, never>' : `{\n${all.join('\n')}\n${indent}}`
}

/** Named fields must fit the type of further ones. */
function furtherText({ properties = {}, additionalProperties }: Schema, text: TypeText, indent: string): string {
  return Object.keys(properties).length > 0 ? 'unknown' : typeText(schemaIn(additionalProperties), text, indent)
}

/** A comment above a line; none without words. */
export function commentOf(words: string | undefined, indent: string): string[] {
  return words ? [`${indent}/** ${words.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */`] : []
}

const union = (types: string[]): string => [...new Set(types)].join(' | ')

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
