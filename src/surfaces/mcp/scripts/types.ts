// Operations as types that a script is written by: short, as an agent pays for each word.
import type { BoundOperation } from '../../../core/bind.ts'
import { inputSchemaOf, MAX_TOKENS, type ObjectSchema, outputSchemaOf } from '../schema.ts'
import { isRecord } from '../tools.ts'

type Schema = Record<string, unknown>
interface Place {
  defs: Schema
  /** How many objects may still be told in one another. */
  left: number
}

/** Objects within objects of an answer are described no deeper: a script asks for more by its own result. */
const DEPTH = 3

/** `api.bugs.comment(input: { id: string, body: string, parentId?: string }): { id: string, ... }`, of schemas as they are `shown`. */
export function signatureOf(
  { name, operation }: BoundOperation,
  shown: (schema: ObjectSchema) => ObjectSchema = (schema) => schema,
): string {
  const { properties = {}, ...input } = shown(inputSchemaOf(operation))
  const { [MAX_TOKENS]: _, ...taken } = properties
  const told = outputSchemaOf(operation)
  const output = told && shown(told)
  const takes = Object.keys(taken).length > 0 ? `input: ${typeOf({ ...input, properties: taken }, inside(input))}` : ''
  return `api.${name}(${takes}): ${output ? typeOf(output, { ...inside(output), isAnswer: true }) : 'string'}`
}

const inside = ({ $defs }: Schema): Place => ({ defs: isRecord($defs) ? $defs : {}, left: DEPTH })

interface TypePlace extends Place {
  /** Every field of an answer is there. */
  isAnswer?: boolean
}

function typeOf(schema: unknown, place: TypePlace): string {
  if (!isRecord(schema)) return 'unknown'
  const { $ref, enum: values, const: value, anyOf, type, items } = schema
  if (typeof $ref === 'string') return typeOf(place.defs[$ref.slice('#/$defs/'.length)], place)
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(one, place)))].join(' | ')
  if (type === 'array') return listOf(typeOf(items, place))
  if (type === 'object') return objectOf(schema, place)
  if (type === 'integer') return 'number'
  return [type ?? 'unknown'].flat().join(' | ')
}

const listOf = (type: string) => (type.includes(' | ') ? `(${type})[]` : `${type}[]`)

function objectOf({ properties, required }: Schema, { left, ...place }: TypePlace): string {
  if (!isRecord(properties) || left === 0) return 'object'
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = place.isAnswer || needed.includes(name) ? '' : '?'
    return `${name}${optional}: ${typeOf(field, { ...place, left: left - 1 })}`
  })
  return `{ ${fields.join(', ')} }`
}
