// The parts of an OpenAPI document that may be references (OpenAPI 3.1.0, 4.8.7 and 4.8.23), and the schemas.

export type Part = Readonly<Record<string, unknown>>

/** Kinds of parts, each before those that are inside it. */
export const KINDS = ['responses', 'requestBodies', 'parameters', 'headers', 'examples', 'schemas'] as const
export type Kind = (typeof KINDS)[number]

/** What a part is replaced by. `operation` is where it is used; none for what is among the components. */
export type Change = (kind: Kind, part: Part, operation?: Part) => Part

export const isReference = (part: Part): boolean => '$ref' in part

/** The object with `change` made of each of its values. */
export const eachOf = (parts: unknown, change: (part: Part, name: string) => unknown): Part =>
  Object.fromEntries(Object.entries((parts ?? {}) as Part).map(([name, part]) => [name, change(part as Part, name)]))

/** The part, where each of the fields that it has is changed. */
const within = (part: Part, changes: Record<string, (value: unknown) => unknown>): Part =>
  eachOf(part, (value, name) => (changes[name] && Object.hasOwn(changes, name) ? changes[name](value) : value))

/** The document with `change` made of each of its parts from the outside in; what is inside a reference is left alone. */
export function changeParts(document: Part, change: Change): Part {
  const walk = new Walk(change)
  const operation = (given: Part) =>
    within(given, {
      parameters: (list) => (list as Part[]).map((part) => walk.part('parameters', part, given)),
      requestBody: (part) => walk.part('requestBodies', part as Part, given),
      responses: (parts) => eachOf(parts, (part) => walk.part('responses', part, given)),
    })
  return within(document, {
    paths: (paths) => eachOf(paths, (methods) => eachOf(methods, operation)),
    components: (kinds) => eachOf(kinds, (parts, kind) => eachOf(parts, (part) => walk.inside(kind as Kind, part))),
  })
}

/** Where a schema has schemas: one, several in a list, or several by name (JSON Schema 2020-12, core, 10). */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'not', 'contains', 'if', 'then', 'else']
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', '$defs']

class Walk {
  readonly #change: Change

  constructor(change: Change) {
    this.#change = change
  }

  /** `true` and `false` are schemas too. */
  part(kind: Kind, given: Part, operation?: Part): Part {
    if (typeof given !== 'object' || isReference(given)) return given
    const changed = this.#change(kind, given, operation)
    return isReference(changed) ? changed : this.inside(kind, changed)
  }

  inside(kind: Kind, part: Part): Part {
    const several = (inner: Kind) => (parts: unknown) => eachOf(parts, (one) => this.part(inner, one))
    const schema = (one: unknown) => this.part('schemas', one as Part)
    if (kind === 'schemas') return this.#insideSchema(part, schema)
    const media = (one: Part) => within(one, { schema, examples: several('examples') })
    const content = (types: unknown) => eachOf(types, media)
    return within(part, {
      schema,
      content,
      headers: several('headers'),
      ...(kind === 'parameters' && { examples: several('examples') }),
    })
  }

  #insideSchema(part: Part, schema: (one: unknown) => Part): Part {
    const list = (schemas: unknown) => (schemas as unknown[]).map(schema)
    const byName = (schemas: unknown) => eachOf(schemas, schema)
    const changes = [
      ...ONE.map((name) => [name, schema] as const),
      ...LISTED.map((name) => [name, list] as const),
      ...NAMED.map((name) => [name, byName] as const),
    ]
    return within(part, Object.fromEntries(changes))
  }
}
