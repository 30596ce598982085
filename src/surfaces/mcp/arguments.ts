// Arguments that a tool does not have are an error, which names the nearest one: a misspelt `dry_run` must not become a write. REST ignores
// unknown fields; a person who writes to it reads its reference, and an agent guesses (behaviour.md, section 6).
import { nearest } from '../../search/typos.ts'
import type { ObjectSchema } from './schema.ts'
import { type Arguments, isRecord, once } from './tools.ts'

/** Clients may put it anywhere. */
const META = '_meta'
/** So many unknown names are listed at once, and so many characters of each. */
const MAX_TOLD = 5
const MAX_NAME = 60

type Schema = Record<string, unknown>

/** What is wrong with the names of arguments; undefined where the schema has all of them. */
export function problemWithNames(input: Arguments, schema: ObjectSchema, prefix = ''): string | undefined {
  const { $defs: defs = {} } = schema
  const { [META]: _, ...given } = input
  const found = unknownIn(given, schema, { path: prefix, defs: defs as Schema })
  const told = found
    .take(MAX_TOLD)
    .map(({ path, name, known }) => `${path}${short(name)}: ${adviceOn(name, known, path)}`)
  return [...told].join('; ') || undefined
}

interface UnknownName {
  /** Where it stands: `files[0].`. */
  path: string
  name: string
  /** The names that can stand there. */
  known: readonly string[]
}

interface Place {
  path: string
  defs: Schema
}

function* unknownIn(value: unknown, schema: unknown, { path, defs }: Place): Generator<UnknownName> {
  const { properties, additionalProperties, items } = shapeOf(schema, defs)
  if (Array.isArray(value)) {
    const list = path.replace(/\.$/, '')
    for (const [at, one] of value.entries()) yield* unknownIn(one, items, { path: `${list}[${at}].`, defs })
  }
  // An object whose names are data, or may be more than its schema says, is what it is.
  if (!isRecord(value) || !isRecord(properties) || additionalProperties) return
  const known = Object.keys(properties)
  for (const [name, inner] of Object.entries(value)) {
    if (known.includes(name)) yield* unknownIn(inner, properties[name], { path: `${path}${name}.`, defs })
    else yield { path, name, known }
  }
}

/** A schema by its name, and the only choice beside null. */
function shapeOf(schema: unknown, defs: Schema): Schema {
  if (!isRecord(schema)) return {}
  const { $ref, anyOf } = schema
  if (typeof $ref === 'string') return shapeOf(defs[$ref.slice('#/$defs/'.length)], defs)
  const choices = Array.isArray(anyOf) ? anyOf.filter((one) => !isRecord(one) || one['type'] !== 'null') : []
  return choices.length === 1 ? shapeOf(choices[0], defs) : schema
}

/** What is meant by a name, as far as one can tell. */
function adviceOn(name: string, known: readonly string[], path: string): string {
  const plain = plainOf(name)
  const near = (names: readonly string[]) => {
    const [meant = plain] = names.some((one) => plainOf(one) === plain) ? [] : nearest(plain, names.map(plainOf))
    return names.find((one) => plainOf(one) === meant)
  }
  const meant = near(known)
  if (meant) return `there is no such argument; did you mean ${meant}?`
  const beside = path === 'input.' && near(Object.keys(once))
  if (beside) return `there is no such argument; ${beside} belongs beside input`
  return `there is no such argument; ${known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none'}`
}

/** `dry_run`, `dry-run` and `dryRun` are the same to who writes them. */
const plainOf = (name: string) =>
  name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const short = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)
