// The limits of a field, read off its schema: a form has what the contract declares.
import { z } from 'zod'

/** Lengths are in UTF-16 units. */
export interface Limits {
  required?: boolean
  minlength?: number
  maxlength?: number
}

const known = new WeakMap<z.core.$ZodType, Limits>()

/**
 * What a text for this schema must be: required if it may not be empty. One that may be null is, where nothing is written. A schema that takes no text
 * has no limits.
 */
export function limitsOf(schema: z.core.$ZodType): Limits {
  let limits = known.get(schema)
  if (!limits) {
    limits = find(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    known.set(schema, limits)
  }
  return limits
}

function find(schema: z.core.JSONSchema.BaseSchema): Limits {
  const texts = (schema.anyOf ?? [schema]).filter(({ type }) => type === 'string')
  const longest = Math.max(...texts.map(({ const: value, maxLength }) => (value === '' ? 0 : (maxLength ?? Infinity))))
  const shortest = Math.min(...texts.map(({ minLength = 0 }) => minLength))
  if (texts.length === 0) return {}
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null')
  return {
    ...(shortest > 0 && !isNullable && { required: true }),
    ...(shortest > 1 && { minlength: shortest }),
    ...(longest < Infinity && { maxlength: longest }),
  }
}
