// What the paths of the MCP Registry API take.
import { z } from 'zod'
import { Cursor, text } from '../../contract/fields.ts'

const Limit = z.coerce.number().int().min(1).max(100)
const IncludeDeleted = z.enum(['true', 'false']).optional()

export const listInput = z.object({
  cursor: Cursor,
  limit: Limit.default(30),
  search: text(0, 200).optional(),
  updated_since: z.iso.datetime({ offset: true }).optional(),
  version: text(0, 255).optional(),
  include_deleted: IncludeDeleted,
})
export const versionsInput = z.object({
  name: z.string(),
  cursor: Cursor,
  limit: Limit.default(100),
  include_deleted: IncludeDeleted,
})
export const versionInput = z.object({ name: z.string(), version: z.string(), include_deleted: IncludeDeleted })
export type ListInput = z.infer<typeof listInput>
export type VersionsInput = z.infer<typeof versionsInput>
export type VersionInput = z.infer<typeof versionInput>
