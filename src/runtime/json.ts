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

/** The object of a JSON text; undefined for any other text. */
export const objectIn = (text: string): Record<string, unknown> | undefined => JsonObject.safeParse(jsonIn(text)).data
