// Resource servers of the operator: services that may ask what our access tokens are good for (RFC 7662).
import { z } from 'zod'
import { jsonIn } from '../runtime/json.ts'

const ResourceServer = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,100}$/),
  secret: z.string().regex(/^[\x21-\x7e]{32,200}$/),
  /** Whether it may see personal access tokens, too. */
  personalTokens: z.boolean().default(false),
})

export type ResourceServer = z.output<typeof ResourceServer>

export const RESOURCE_SERVERS_EXPECTED =
  'a JSON array such as [{"id": "reports", "secret": "<32 to 200 characters>", "personalTokens": false}], each id once'

/** Reads the JSON array; undefined when one of them is not what it must be, or an id is there twice. */
export function parseResourceServers(text: string): ResourceServer[] | undefined {
  const servers = z.array(ResourceServer).max(50).safeParse(jsonIn(text)).data
  return servers && new Set(servers.map(({ id }) => id)).size === servers.length ? servers : undefined
}
