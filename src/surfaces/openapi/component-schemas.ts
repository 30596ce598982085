// The fields that contracts share and that are long, by their names there. Schemas of them are components.
import type { z } from 'zod'
import { type CreateDocumentOptions, createSchema } from 'zod-openapi'
import {
  EditedAt,
  ExpiresAt,
  Id,
  MyVote,
  NextCursor,
  SearchText,
  SeenEditedAt,
  ThingNumber,
  Timestamp,
  UsernameOrNull,
} from '../../contract/fields.ts'
import type { Part } from './parts.ts'

const fields = {
  Id,
  Timestamp,
  EditedAt,
  SeenEditedAt,
  ExpiresAt,
  ThingNumber,
  UsernameOrNull,
  MyVote,
  NextCursor,
  SearchText,
}

/**
 * An integer without bounds of its own has those of JavaScript's safe integers, which say nothing to a client. Neither does the pattern of a time
 * that is answered: its format says what it is (RFC 3339, 5.6).
 */
export const rendering: CreateDocumentOptions = {
  override({ jsonSchema, io }) {
    if (io === 'output' && jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
}

const textOf = (field: z.ZodType) =>
  JSON.stringify(createSchema(field, { openapiVersion: '3.1.0', opts: rendering }).schema)

const names = new Map(Object.entries(fields).map(([name, field]) => [textOf(field), name]))

/** The name that contracts have for this schema, if they have it. */
export function schemaNames(schema: Part): string[] {
  const name = names.get(JSON.stringify(schema))
  return name ? [name] : []
}
