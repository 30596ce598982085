// Downloads that begin before it is known which version a name means: the server says with the bytes which it is. They are used only if that is
// what was resolved; otherwise they are given up, and the right one is asked for.
import { stat } from 'node:fs/promises'
import type { Client } from '../../client/src/create-client.ts'
import type { Download } from '../../client/src/download.ts'
import { nameText, pathOf, type Spec } from './home.ts'

/** As many as are downloaded at once (installing.ts). */
const MAX_EARLY = 4

export interface EarlyDownloads {
  /** The download of a name, if it is of this version and hash; undefined where it has to be asked for. */
  take(name: string, version: string, sha256: string): Promise<Download | undefined>
  /** Gives up what was not taken. */
  end(): Promise<void>
}

export const noDownloads: EarlyDownloads = { take: async () => undefined, end: async () => undefined }

/** Begins the downloads of names whose files are not there. What goes wrong is told by the request that follows. */
export function beginDownloads(client: Client, home: string, specs: readonly Spec[]): EarlyDownloads {
  const ending = new AbortController()
  const begun = new Map(
    specs.slice(0, MAX_EARLY).map((spec) => [nameText(spec), begin(client, { home, spec, signal: ending.signal })]),
  )
  const giveUp = async (download: Download | undefined) => {
    await download?.body.cancel().catch(() => undefined)
  }
  return {
    async take(name, version, sha256) {
      const download = await begun.get(name)
      begun.delete(name)
      if (download?.version === version && download.sha256 === sha256) return download
      await giveUp(download)
      return undefined
    },
    async end() {
      if (begun.size === 0) return
      ending.abort()
      await Promise.all([...begun.values()].map(async (download) => giveUp(await download)))
    },
  }
}

async function begin(
  client: Client,
  { home, spec, signal }: { home: string; spec: Spec; signal: AbortSignal },
): Promise<Download | undefined> {
  const { kind, slug, range: version } = spec
  try {
    if (await stat(pathOf(home, spec)).catch(() => undefined)) return undefined
    return await client.library.file({ kind, slug, version }, { signal })
  } catch {
    return undefined
  }
}
