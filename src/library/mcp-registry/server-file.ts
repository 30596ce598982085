// The server.json of a version as a registry gives it to clients: what its publisher wrote, without what clients take for the word of the
// registry. Files never change, so what was read is kept by their hash.
import { readFile } from 'node:fs/promises'
import { isObject } from '../../formats/permission-set.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { type Blobs, withArtifactFile } from '../../storage/blobs.ts'

const OF_PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided'

export interface ServerFile {
  name: string
  /** JSON. */
  text: string
}

/** Some thousand files of a usual size. */
const MOST_CHARACTERS = 4 * 1024 * 1024
/** By the hash of the file; oldest first. */
const kept = new Map<string, ServerFile>()
let characters = 0

export async function serverFileOf(blobs: Blobs, file: { sha256: string; size: number }): Promise<ServerFile> {
  const known = kept.get(file.sha256)
  if (known) return known
  const text = await withArtifactFile(blobs, file, (path) => readFile(path, 'utf8'))
  const read = clean(parseJson<Record<string, unknown> & { name: string }>(text))
  keep(file.sha256, read)
  return read
}

/**
 * `_meta` has what the publisher says to registries, and nothing else: the words of a registry are in the answer beside the file. `github` is what
 * GitHub's registry puts there about a repository (stars, an owner, a README), and clients show it as facts.
 */
function clean({ _meta: meta, ...server }: Record<string, unknown> & { name: string }): ServerFile {
  const said = isObject(meta) ? meta[OF_PUBLISHER] : undefined
  const { github: _claimed, ...own } = isObject(said) ? said : {}
  const stays = Object.keys(own).length > 0
  return { name: server.name, text: JSON.stringify({ ...server, ...(stays && { _meta: { [OF_PUBLISHER]: own } }) }) }
}

function keep(sha256: string, file: ServerFile): void {
  // Two requests can have read it at once.
  if (kept.has(sha256) || file.text.length > MOST_CHARACTERS) return
  for (const [oldest, { text }] of kept) {
    if (characters + file.text.length <= MOST_CHARACTERS) break
    kept.delete(oldest)
    characters -= text.length
  }
  kept.set(sha256, file)
  characters += file.text.length
}
