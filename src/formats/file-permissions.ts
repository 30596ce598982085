// What is read of files to tell what they may do (permissions.ts).
import { Archive } from './archive.ts'
import type { ArchiveEntry, ArchiveFile } from './archive-entry.ts'
import { FormatError } from './format-error.ts'
import { jsonOf } from './json-tokens.ts'
import { anything, isObject } from './permission-set.ts'
import { type PackagedFile, type Permission, permissionsOf, WantedTexts } from './permissions.ts'

/** Automations in a workflow that are read; the others may do anything. */
const MAX_CARRIED = 20

/** The permissions of the JSON of a workflow or an org; see `permissionsOf`. */
export async function definitionPermissions(kind: 'workflow' | 'org', bytes: Buffer): Promise<Permission[]> {
  const definition = jsonOf(bytes)
  if (definition === undefined) return [...anything]
  return kind === 'org'
    ? permissionsOf({ kind, definition })
    : permissionsOf({ kind, definition, packages: await carriedBy(definition) })
}

/** The files of an archive, with the texts that tell what it may do. */
export async function textsOf(archive: ArchiveFile, wanted = new WantedTexts()): Promise<PackagedFile[]> {
  const files: PackagedFile[] = []
  for (const entry of archive.entries) {
    if (entry.isFolder) continue
    const { path, size } = entry
    files.push(wanted.wants(path, size) ? { path, text: textOf(await contentOf(archive, entry)) } : { path })
  }
  return files
}

/** All bytes of an entry. */
export async function contentOf(archive: ArchiveFile, entry: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  await archive.read(entry, (chunk) => chunks.push(Buffer.from(chunk)))
  return Buffer.concat(chunks)
}

/** Undefined for what is not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The automations that a workflow carries (`mpkg`, base64), as far as they can be read. */
async function carriedBy(workflow: unknown): Promise<Map<string, PackagedFile[]>> {
  const carried = new Map<string, PackagedFile[]>()
  const wanted = new WantedTexts()
  const automations = isObject(workflow) && isObject(workflow['automations']) ? workflow['automations'] : {}
  for (const [id, automation] of Object.entries(automations)) {
    const packed = isObject(automation) ? automation['mpkg'] : undefined
    if (typeof packed !== 'string' || packed === '' || carried.size === MAX_CARRIED) continue
    try {
      await using archive = await Archive.of(Buffer.from(packed, 'base64'))
      carried.set(id, await textsOf(archive, wanted))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  return carried
}
