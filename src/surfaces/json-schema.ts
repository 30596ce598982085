// The schemas within a JSON Schema, as zod makes it of a contract, and descriptions made of them without the kinds of things and the events of parts
// that are off: no enumeration names them.
import type { z } from 'zod'
import type { PartsOff } from '../contract/parts.ts'

export type Schema = z.core.JSONSchema.BaseSchema

/**
 * A schema within another one; of several the first. `true` and a schema that is not there allow anything, as `{}` does (JSON Schema
 * 2020-12, core, 4.3.2). No contract has `false`: zod writes `{ not: {} }`.
 */
export function schemaIn(given: Schema['items']): Schema {
  const one = Array.isArray(given) ? given[0] : given
  return typeof one === 'object' ? one : {}
}

/** A description made of JSON, without the values of parts that are off. An enumeration of nothing else stays. */
export function withoutValuesOff<Described>(described: Described, { key, kinds, hasEvent }: PartsOff): Described {
  const isOn = (value: unknown) => typeof value !== 'string' || !(kinds.has(value) || hasEvent(value))
  return key === '' ? described : (pruned(described, isOn) as Described)
}

type Test = (value: unknown) => boolean

function pruned(value: unknown, isOn: Test): unknown {
  if (Array.isArray(value)) return value.map((one) => pruned(one, isOn))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, pruned(field, isOn)] as const)
  return withEnumeration(Object.fromEntries(fields), isOn)
}

/** The values of an enumeration that are on, and an example that is one of them. */
function withEnumeration(schema: Record<string, unknown>, isOn: Test): Record<string, unknown> {
  const { enum: values, example } = schema
  const left = Array.isArray(values) ? values.filter(isOn) : []
  if (!Array.isArray(values) || left.length === 0 || left.length === values.length) return schema
  const isExample = 'example' in schema && !left.includes(example)
  return { ...schema, enum: left, ...(isExample && { example: left[0] }) }
}
