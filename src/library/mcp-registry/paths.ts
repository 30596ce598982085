// The MCP Registry API, version 0.1, for reading: MCP servers that everybody sees, at the paths that its clients ask, with what each
// takes. What it answers is in reading.ts.
import { z } from 'zod'
import { Cursor, text } from '../../contract/fields.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { ReadPath } from '../../request/endpoint.ts'
import { mcpRegistry as area } from '../items/area.ts'

const Limit = z.coerce.number().int().min(1).max(100)
const IncludeDeleted = z.enum(['true', 'false']).optional()

const listInput = z.object({
  cursor: Cursor,
  limit: Limit.default(30),
  search: text(0, 200).optional(),
  updated_since: z.iso.datetime({ offset: true }).optional(),
  version: text(0, 255).optional(),
  include_deleted: IncludeDeleted,
})
const versionsInput = z.object({
  name: z.string(),
  cursor: Cursor,
  limit: Limit.default(100),
  include_deleted: IncludeDeleted,
})
const versionInput = z.object({ name: z.string(), version: z.string(), include_deleted: IncludeDeleted })
export type ListInput = z.infer<typeof listInput>
export type VersionsInput = z.infer<typeof versionsInput>
export type VersionInput = z.infer<typeof versionInput>

const isThere: ReadPath['isThere'] = (config) => !partsOff(config).kinds.has('mcp-server')
const reading = () => import('./reading.ts')

const paths: [path: string, input: z.ZodObject, read: ReadPath['read']][] = [
  ['/v0.1/servers', listInput, async (on, asked) => (await reading()).readList(on, asked as ListInput)],
  [
    '/v0.1/servers/:name/versions',
    versionsInput,
    async (on, asked) => (await reading()).readVersions(on, asked as VersionsInput),
  ],
  [
    '/v0.1/servers/:name/versions/:version',
    versionInput,
    async (on, asked) => (await reading()).readVersion(on, asked as VersionInput),
  ],
  ['/v0.1/*', z.object({}), () => Promise.reject(new Problem('not_found', 'There is nothing here'))],
]

export const mcpRegistryPaths: readonly ReadPath[] = paths.map(([path, input, read]) => ({
  ...{ path, area, input, isThere, read },
}))
