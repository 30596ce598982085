// The fields that contracts share and that are long, by their names there. Schemas of them are components.
import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import {
  EditedAt,
  ExpiresAt,
  Id,
  MyVote,
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
  SearchText,
}

const textOf = (field: z.ZodType) => JSON.stringify(createSchema(field, { openapiVersion: '3.1.0' }).schema)

const names = new Map(Object.entries(fields).map(([name, field]) => [textOf(field), name]))

/** The name that contracts have for this schema, if it is one of theirs. */
export function schemaNames(schema: Part): string[] {
  const name = names.get(JSON.stringify(schema))
  return name ? [name] : []
}
