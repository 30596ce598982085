// The MCP Registry API, version 0.1, for reading: MCP servers that everybody sees, at the paths that its clients ask. What each takes is in
// input.ts, and what it answers in reading.ts.
import { z } from 'zod'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { ReadPath } from '../../request/endpoint.ts'
import { mcpRegistry as area } from '../items/area.ts'
import {
  type ListInput,
  listInput,
  type VersionInput,
  type VersionsInput,
  versionInput,
  versionsInput,
} from './input.ts'

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
