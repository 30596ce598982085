// Filters of lists that take several values: one, a list, or with commas between them. A parameter for each is a list too.
import { z } from 'zod'

const COMMA = ','

/** What a query gives as a list: what is named twice counts once. */
function split(given: unknown): unknown {
  if (Array.isArray(given)) return [...new Set(given.flatMap((one) => (typeof one === 'string' ? parts(one) : [one])))]
  if (typeof given !== 'string' || !given.includes(COMMA)) return given
  const values = [...new Set(parts(given))]
  return values.length === 1 ? values[0] : values
}

const parts = (text: string) => text.split(COMMA).map((part) => part.trim())

/** The values of a filter that has them in a text with commas between them. */
export const valuesOf = (filter: string | undefined): string[] => filter?.split(COMMA) ?? []

/**
 * A filter of an enumeration. One value stays as it is, several are in the order of the enumeration with commas between them, and all of them
 * filter nothing.
 */
export function severalOf<Value extends string>(one: z.ZodType<Value, Value> & { options: Value[] }, about: string) {
  const { options } = one
  const error = `must be one of ${options.join(', ')}`
  const given = z
    .union([one, z.array(one).min(1).max(options.length)], { error })
    .transform((values) => {
      const chosen = options.filter((value) => [values].flat().includes(value))
      return chosen.length === options.length ? undefined : chosen.join(COMMA)
    })
    .meta({ description: `${about}, or one of these` })
  return z.preprocess(split, given) as z.ZodType<string | undefined, Value | readonly Value[]>
}

/** A filter of names, at most so many. A name may have a comma: what the text means is for its handler to say. */
export const severalNames = <Name extends z.ZodType<string, string>>(one: Name, max: number, about: string) =>
  one
    .or(z.array(one).min(1).max(max))
    .transform((given) => [given].flat().join(COMMA))
    .meta({ description: about })
