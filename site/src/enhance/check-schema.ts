// Checks a value against one of the library's JSON Schemas, with the keywords that these have (a test compares it with another reader).

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

/** The first thing that is wrong, with its place: `roles.0.id: is missing`; undefined where nothing is. */
export function wrongIn(value: unknown, schema: Schema, path = ''): string | undefined {
  const wrong = (words: string) => `${path === '' ? 'It' : `${path}:`} ${words}`
  const { type } = schema
  if (type !== undefined && ![type].flat().some((one) => isOf(value, one)))
    return wrong(`must be ${[type].flat().join(' or ')}`)
  if (schema.const !== undefined && value !== schema.const) return wrong(`must be ${schema.const}`)
  if (schema.enum && !schema.enum.includes(value)) return wrong(`must be one of ${schema.enum.join(', ')}`)
  if (typeof value === 'string') return inText(value, schema, wrong)
  if (typeof value === 'number') return inNumber(value, schema, wrong)
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return wrong(`must have at least ${schema.minItems} entry`)
    return schema.items && first(value.entries(), (entry, index) => wrongIn(entry, schema.items!, join(path, index)))
  }
  return isOf(value, 'object') ? inObject(value as Record<string, unknown>, schema, path) : undefined
}

type Wrong = (words: string) => string

function inText(value: string, { minLength = 0, maxLength = Infinity, pattern }: Schema, wrong: Wrong) {
  const { length } = [...value]
  if (length < minLength) return wrong(`must have at least ${minLength} character`)
  if (length > maxLength) return wrong(`must have at most ${maxLength} characters`)
  return pattern && !new RegExp(pattern, 'u').test(value) ? wrong('is not written as it has to be') : undefined
}

function inNumber(value: number, { minimum, maximum, exclusiveMinimum }: Schema, wrong: Wrong) {
  if (minimum !== undefined && value < minimum) return wrong(`must be at least ${minimum}`)
  if (maximum !== undefined && value > maximum) return wrong(`must be at most ${maximum}`)
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum
    ? wrong(`must be above ${exclusiveMinimum}`)
    : undefined
}

function inObject(value: Record<string, unknown>, schema: Schema, path: string): string | undefined {
  const { required = [], properties = {}, additionalProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) return `${join(path, name)}: is missing`
  return first(Object.entries(value).entries(), ([name, inner]) => {
    if (Object.hasOwn(properties, name)) return wrongIn(inner, properties[name]!, join(path, name))
    return additionalProperties === false ? `${join(path, name)}: is no field that is known here` : undefined
  })
}

function first<T>(entries: Iterable<[number, T]>, look: (entry: T, index: number) => string | undefined) {
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
