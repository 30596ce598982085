// The functions that pages call, without a page: handed out by a site that renders nothing.
import type { api } from '../src/api.ts'
import { createApp } from '../src/app.ts'
import type { Client } from '../src/surfaces/client.ts'
import type { World } from './world.ts'

/** The calls of a page whose reader has this cookie; those of an anonymous reader without one. */
export async function pageCalls({ dependencies }: World, cookie?: string): Promise<Client<typeof api>> {
  const handed = Promise.withResolvers<Client<typeof api>>()
  const app = createApp(dependencies, {
    site: {
      open: async () => ({
        files: '',
        names: new Set(),
        async respond(_, { platform }) {
          handed.resolve(platform.connect(() => {}))
          return new Response('')
        },
      }),
    },
  })
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie }
  await app.fetch(new Request(dependencies.config.baseUrl, { headers }))
  return handed.promise
}
