// JSON from outside: text that may be anything.
import { z } from 'zod'

/** The value of a JSON text; undefined for text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const JsonObject = z.record(z.string(), z.unknown())

/** The value as an object; undefined for any other. */
export const recordOf = (value: unknown): Record<string, unknown> | undefined => JsonObject.safeParse(value).data

/** The object of a JSON text; undefined for any other text. */
export const objectIn = (text: string): Record<string, unknown> | undefined => recordOf(jsonIn(text))
