// Archives of instances in tests: written and imported as the commands do, with a passphrase that costs little to try.
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { placeArchive } from '../src/operator/archive/placing.ts'
import { unseal } from '../src/operator/archive/sealing.ts'
import { filesIn } from '../src/operator/archive/tar.ts'
import { writeArchive } from '../src/operator/archive/writing.ts'
import type { Place } from './operator.ts'
import type { World } from './world.ts'

export const passphrase = 'a long enough passphrase'
export const sealing = { passphrase, workFactor: 10 }

export const archiveOf = (config: Pick<Place, 'databaseUrl' | 'blobUrl'>, path: string) =>
  writeArchive({ config, path, sealing, progress() {} })

export const placeOf = ({ databaseUrl, dependencies: { config } }: World) => ({ databaseUrl, blobUrl: config.blobUrl })

export const importArchive = (path: string, config: Place) =>
  placeArchive({ config, archive: { path, passphrase }, isUnverified: false, output: { progress() {}, complain() {} } })

/** What an archive has, by name: the rows of parts, and the hashes of files; without the time of its header. */
export async function contentsOf(path: string): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {}
  for await (const { name, bytes } of filesIn(await unseal(path, passphrase))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    const whole = Buffer.concat(chunks)
    if (name === 'guildhall.json') contents[name] = { ...JSON.parse(whole.toString()), at: undefined }
    else if (name.endsWith('.gz'))
      contents[name] = gunzipSync(whole)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    else contents[name] = createHash('sha256').update(whole).digest('hex')
  }
  return contents
}
