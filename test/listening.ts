// A world whose origin really listens, for clients that others wrote.
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createNodeServer, stopServer } from '../src/surfaces/http/listen.ts'
import { type Open, sqliteDatabase } from './databases.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

interface Origin {
  open?: Open
  /** Where files are, a directory unless told. */
  blobUrl?: string
  /** More settings of the environment. */
  settings?: Readonly<Record<string, string>>
}

export async function listening(
  t: TestContext,
  run: (world: World) => Promise<void>,
  { open = sqliteDatabase, blobUrl, settings }: Origin = {},
): Promise<void> {
  const database = await open()
  const blobs = blobUrl ?? `file:${await temporaryDirectory(t)}`
  let world: World | undefined
  // Known once it listens.
  const config = { readers: 'everyone' as const, trustProxy: 0, name: 'Guildhall', baseUrl: '' }
  const server = createNodeServer({
    // A server does so once a second; here what asks for a proof does not have to wait for it.
    app: async (request, requestContext) => {
      if (request.url.includes('/proof')) await world!.app.sequenceLog()
      return world!.app.fetch(request, requestContext)
    },
    config,
    observe() {},
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    config.baseUrl = `http://127.0.0.1:${port}`
    world = await makeWorld(database, { BASE_URL: config.baseUrl, BLOB_URL: blobs, ...settings })
    await run(world)
  } finally {
    await stopServer(server, 100)
    world?.dependencies.blobs.close()
    await database.remove()
  }
}
