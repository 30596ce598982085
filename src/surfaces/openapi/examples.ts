// Examples of inputs and answers, read off the schemas: what a schema says of itself (`example`), or the simplest value there
// is. A test parses every one of them.
import { z } from 'zod'
import { absolute } from '../../contract/href.ts'
import { required } from '../../runtime/untyped.ts'
import { type Schema, schemaIn } from '../json-schema.ts'

/** Stands where a schema does not say what a text may look like. A test holds that it stands nowhere. */
export const UNKNOWN_TEXT = 'unknown text'

/** What few things have: examples are of the others. */
const SELDOM: ReadonlySet<unknown> = new Set(
  ['About', 'Pinned', 'Locked', 'Solution', 'Assignees', 'DueOn', 'FullText', 'ImportedFrom'].map(
    (name) => `#/$defs/${name}`,
  ),
)

/** What most things have none of, as their examples say. Its own schema shows what it may be. */
const MOSTLY_NULL: ReadonlySet<unknown> = new Set(['#/$defs/Via'])

/** A value that fits: given to the API, or coming from it. */
export function exampleOf(type: z.ZodType, io: 'input' | 'output'): unknown {
  const schema = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  const defs = schema.$defs ?? {}
  function sample(given: Schema): unknown {
    if ('example' in given) return given['example']
    if (MOSTLY_NULL.has(given.$ref)) return null
    if (given.$ref) return sample(required(defs[given.$ref.slice('#/$defs/'.length)]))
    if (given.const !== undefined) return given.const
    if (given.enum) return given.enum[0]
    const options = (given.anyOf ?? given.oneOf)?.map(schemaIn).filter(({ type }) => type !== 'null')
    // The last of several says most: the first are the empty ones.
    if (options) return sample(required(options.at(-1)))
    return given.default ?? simple(given)
  }
  function simple({ type, properties = {}, items, minimum = 0 }: Schema): unknown {
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object': {
        const made = Object.fromEntries(
          Object.entries(properties)
            .filter(([, inner]) => !SELDOM.has(schemaIn(inner).$ref))
            .map(([name, inner]) => [name, sample(schemaIn(inner))]),
        )
        return 'href' in made ? { ...made, href: absolute('https://guildhall.example', made['url']) } : made
      }
      case 'array':
        return [sample(schemaIn(items))]
      case 'integer':
      case 'number':
        return Math.max(minimum, 3)
      case 'boolean':
        return true
      default:
        return UNKNOWN_TEXT
    }
  }
  return sample(schema)
}
