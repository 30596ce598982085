// Checks a value against one of the library's JSON Schemas, with the keywords that these have (a test compares it with another reader).
import type { ScriptWord } from '../lib/language/script-words.ts'

export interface Schema {
  type?: string | readonly string[]
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean
  items?: Schema
  minItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/** What is wrong, by its name in the catalogue (`script.upload.schema`), and with what was expected. */
export interface Wrong {
  /** `roles.0.id`; empty for the whole. */
  place: string
  name: Names extends `upload.schema.${infer Name}` ? Name : never
  value: string | number
}
type Names = Extract<ScriptWord, `upload.schema.${string}`>

/** The first thing that is wrong; undefined where nothing is. */
export function wrongIn(value: unknown, schema: Schema, place = ''): Wrong | undefined {
  const wrong: Say = (name, expected = '') => ({ place, name, value: expected })
  const { type } = schema
  if (type !== undefined && ![type].flat().some((one) => isOf(value, one)))
    return wrong('type', [type].flat().join(', '))
  if (schema.const !== undefined && value !== schema.const) return wrong('value', `${schema.const}`)
  if (schema.enum && !schema.enum.includes(value)) return wrong('one', schema.enum.join(', '))
  if (typeof value === 'string') return inText(value, schema, wrong)
  if (typeof value === 'number') return inNumber(value, schema, wrong)
  if (Array.isArray(value)) {
    const { minItems = 0, items } = schema
    if (value.length < minItems) return wrong('entries', minItems)
    return items && first(value.entries(), (entry, index) => wrongIn(entry, items, join(place, index)))
  }
  return isOf(value, 'object') ? inObject(value as Record<string, unknown>, schema, place) : undefined
}

type Say = (name: Wrong['name'], expected?: string | number) => Wrong

function inText(value: string, { minLength = 0, maxLength = Infinity, pattern }: Schema, wrong: Say) {
  const { length } = [...value]
  if (length < minLength) return wrong('short', minLength)
  if (length > maxLength) return wrong('long', maxLength)
  return pattern && !new RegExp(pattern, 'u').test(value) ? wrong('pattern') : undefined
}

function inNumber(value: number, { minimum, maximum, exclusiveMinimum }: Schema, wrong: Say) {
  if (minimum !== undefined && value < minimum) return wrong('least', minimum)
  if (maximum !== undefined && value > maximum) return wrong('most', maximum)
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum ? wrong('above', exclusiveMinimum) : undefined
}

function inObject(value: Record<string, unknown>, schema: Schema, place: string): Wrong | undefined {
  const { required = [], properties = {}, additionalProperties } = schema
  for (const name of required)
    if (!Object.hasOwn(value, name)) return { place: join(place, name), name: 'missing', value: '' }
  return first(Object.entries(value).entries(), ([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) return wrongIn(inner, known, join(place, name))
    return additionalProperties === false ? { place: join(place, name), name: 'unknown', value: '' } : undefined
  })
}

function first<T>(entries: Iterable<[number, T]>, look: (entry: T, index: number) => Wrong | undefined) {
  for (const [index, entry] of entries) {
    const wrong = look(entry, index)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const join = (path: string, name: string | number) => (path === '' ? `${name}` : `${path}.${name}`)

function isOf(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
