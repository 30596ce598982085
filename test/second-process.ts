// Another Guildhall on the database of a world, as a second process is one.
import { openDatabase } from '../src/database/open.ts'
import { oauthClient } from './oauth.ts'
import { makeWorld, type World } from './world.ts'

export async function secondProcess(world: World) {
  const { config } = world.dependencies
  const { db, ...more } = await openDatabase(world.databaseUrl)
  const second = await makeWorld({ db, url: world.databaseUrl, ...more }, { BLOB_URL: config.blobUrl })
  return { world: second, client: oauthClient(second), close: () => db.destroy() }
}
