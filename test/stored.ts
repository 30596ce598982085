// The stored data of a test's world, and how to run it behind a real server.
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createNodeServer } from '../src/surfaces/http/listen.ts'
import type { Observe } from '../src/surfaces/http/pipeline.ts'
import type { World } from './world.ts'

/** Every file below the world's blobs: artifacts, objects, and uploads that were not finished. */
export async function filesOnDisk({ dependencies }: Pick<World, 'dependencies'>): Promise<string[]> {
  const root = dependencies.config.blobUrl.slice('file:'.length)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
}

/** The names of the objects in a folder. */
export async function objectsIn({ dependencies }: Pick<World, 'dependencies'>, folder: string): Promise<string[]> {
  const keys = []
  for await (const { key } of dependencies.blobs.objects.list(folder)) keys.push(key)
  return keys.sort()
}

/** Puts the world behind a server on a loopback port while `work` runs. */
export async function listening<T>(
  { app, dependencies, changes }: World,
  work: (port: number) => Promise<T>,
  observe: Observe = () => {},
): Promise<T> {
  const { config } = dependencies
  const server = createNodeServer({ app: app.fetch, config, changes, members: dependencies, observe })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work((server.address() as AddressInfo).port)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
