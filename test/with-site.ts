// Tests on a world with the site mounted, read as an anonymous user.
import type { TestContext } from 'node:test'
import { createApp, type Guildhall } from '../src/app.ts'
import { siteOnce } from '../src/surfaces/site/open.ts'
import { sqliteDatabase } from './databases.ts'
import { temporaryDirectory } from './temporary.ts'
import { atAddress, makeWorld, type World } from './world.ts'

type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>
type Work = (world: World, get: Get) => Promise<void>

/** Tests on a world with the site at an origin of its own. */
export const siteAt =
  (baseUrl: string) =>
  (work: Work) =>
  async (t: TestContext): Promise<void> => {
    const database = await sqliteDatabase()
    try {
      const world = await makeWorld(database, { BASE_URL: baseUrl, BLOB_URL: `file:${await temporaryDirectory(t)}` })
      const app: Guildhall = createApp(world.dependencies, { site: { open: siteOnce() } })
      const send = async (request: Request) => app.fetch(request)
      await work(world, (path, headers = {}, method = 'GET') =>
        atAddress(send, new Request(new URL(path, baseUrl), { method, headers })),
      )
    } finally {
      await database.remove()
    }
  }
