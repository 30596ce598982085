// Settings of worlds: each combination is read once, which takes longer than to open a database.
import { type Config, readConfig } from '../src/config/config.ts'

const configs = new Map<string, Config>()

/** The folder of its files is different in every world. */
export function configOf({ BLOB_URL: blobUrl, ...settings }: Readonly<Record<string, string>>): Config {
  const key = JSON.stringify(settings)
  const config = configs.get(key) ?? readConfig(settings)
  configs.set(key, config)
  return blobUrl ? { ...config, blobUrl } : config
}
