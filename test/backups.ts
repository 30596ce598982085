// What tests of backups share: a world with a signing key, two folders, and what lies in the backup's.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../src/config/config.ts'
import { withFolder } from './server.ts'
import type { World } from './world.ts'

/** The settings of the world; its data folder has a signing key of its own. */
export async function settingsOf({ dependencies: { config } }: World, dataDir: string): Promise<Config> {
  await writeFile(join(dataDir, 'signing-key.json'), '{"kid":"of the test"}')
  return { ...config, dataDir, signingKey: undefined }
}

/** Every file below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** The files below a folder that are pieces of backups. */
export const piecesIn = async (folder: string) => (await filesBelow(folder)).filter((path) => path.includes('pieces'))

/** Two folders: one for the data, one for the backups. */
export const withFolders = (work: (data: string, kept: string) => Promise<void>) =>
  withFolder((data) => withFolder((kept) => work(data, join(kept, 'backups'))))
