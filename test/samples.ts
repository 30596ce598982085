// Inputs that fit, read off the contracts once: tests that try thousands of texts need them for each.
import type { z } from 'zod'
import { exampleOf } from '../src/surfaces/openapi/examples.ts'

const samples = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>()

/** The fields of an input with values that the API takes. Shared: copy it before you change it. */
export function sampleOf(type: z.ZodType): Readonly<Record<string, unknown>> {
  const known = samples.get(type)
  if (known) return known
  const made = exampleOf(type, 'input') as Record<string, unknown>
  samples.set(type, made)
  return made
}
