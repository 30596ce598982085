// The schemas within a JSON Schema, as zod makes it of a contract.
import type { z } from 'zod'

export type Schema = z.core.JSONSchema.BaseSchema

/**
 * A schema within another one; of several the first. `true` and a schema that is not there allow anything, as `{}` does (JSON Schema
 * 2020-12, core, 4.3.2). No contract has `false`: zod writes `{ not: {} }`.
 */
export function schemaIn(given: Schema['items']): Schema {
  const one = Array.isArray(given) ? given[0] : given
  return typeof one === 'object' ? one : {}
}
