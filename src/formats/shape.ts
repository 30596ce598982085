// Schema building blocks. Each has an error message with the expected value, stops at the first problem of a list, and leaves unknown
// fields alone.
import { z } from 'zod'
import { isStorable } from '../contract/storable.ts'
import { required } from '../runtime/untyped.ts'
import { STORABLE } from './format-error.ts'

/** What JSON Schema says of a schema that it cannot be read off, such as a transformation (schemas.ts). */
interface SchemaNote {
  json: Record<string, unknown>
  /** The schema of the entries of a list. */
  entry?: z.ZodType
}

const written = new WeakMap<z.core.$ZodType, SchemaNote>()

export const writtenOf = (schema: z.core.$ZodType): SchemaNote | undefined => written.get(schema)

/** The schema itself, of which JSON Schema says this. */
export function writtenAs<Schema extends z.ZodType>(schema: Schema, as: SchemaNote): Schema {
  written.set(schema, as)
  return schema
}

export const text = z.string('expected a string')

const AT_LEAST_ONE = 'expected a string of at least 1 character'
export const nonEmptyText = z.string(AT_LEAST_ONE).min(1, AT_LEAST_ONE)

export const flag = z.boolean('expected true or false')

export const amount = z.number('expected a number')

/** A whole number of `least` or more. */
export function integer(least: 0 | 1) {
  const expected = least === 0 ? 'expected an integer of at least 0' : 'expected an integer above 0'
  const whole = z.number(expected).refine((value) => Number.isInteger(value) && value >= least, expected)
  return writtenAs(whole, { json: { type: 'integer', minimum: least } })
}

const SHARE = 'expected a number from 0 to 1'
export const share = z.number(SHARE).min(0, SHARE).max(1, SHARE)

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `expected one of ${words.join(', ')}`)
}

/** An object that may contain unknown fields; they are kept. */
export function object<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.looseObject(fields, 'expected an object')
}

/** An object in which any other field is an error. */
export function strictObject<Fields extends z.ZodRawShape>(fields: Fields) {
  const known = Object.keys(fields).join(', ')
  return z.strictObject(fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `expected only the fields ${known}` : 'expected an object'),
  })
}

/** An array. Unlike `z.array` it stops at the first bad entry, so that a hostile list costs one message, not 100,000. */
export function list<Entry extends z.ZodType>(entry: Entry) {
  const entries = z.unknown().transform((value, context): z.output<Entry>[] => {
    if (!Array.isArray(value)) return fail(context, { message: 'expected an array', input: value })
    const read: z.output<Entry>[] = []
    for (const [index, given] of value.entries()) {
      const result = entry.safeParse(given)
      if (!result.success) {
        const issue = required(result.error.issues[0])
        context.issues.push({ ...issue, path: [index, ...issue.path], input: given })
        return z.NEVER
      }
      read.push(result.data)
    }
    return read
  })
  return writtenAs(entries, { json: { type: 'array' }, entry })
}

/** An array of strings, checked without a schema for each. With `stored`, text that a database cannot store is refused. */
export function texts({ stored }: { stored: boolean } = { stored: false }) {
  const entries = z.unknown().transform((value, context): string[] => {
    if (!Array.isArray(value)) return fail(context, { message: 'expected an array', input: value })
    for (const [index, given] of value.entries()) {
      if (typeof given !== 'string') return fail(context, { message: 'expected a string', input: given, path: [index] })
      if (stored && !isStorable(given)) return fail(context, { message: STORABLE, input: given, path: [index] })
    }
    return value
  })
  return writtenAs(entries, { json: { type: 'array', items: { type: 'string' } } })
}

interface Failure {
  message: string
  input: unknown
  path?: number[]
}

function fail(context: z.core.$RefinementCtx, { message, input, path = [] }: Failure): never {
  context.issues.push({ code: 'custom', message, input, path })
  return z.NEVER
}
