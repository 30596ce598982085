// What the command line reads of the files of items: an entry of the bundle.
import './older-node.ts'
import { readFile } from 'node:fs/promises'
import { Archive } from '../../src/formats/archive.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { permissionTypes } from '../../src/formats/permission-set.ts'
import { type PackagedFile, type Permission, permissionsOf, WantedTexts } from '../../src/formats/permissions.ts'

type Kind = 'workflow' | 'automation' | 'org'

/** What a file may do, told from the file alone; anything, if it cannot be read. */
export async function readPermissions({ kind, path }: { kind: Kind; path: string }): Promise<Permission[]> {
  try {
    if (kind === 'automation') return permissionsOf({ kind, files: await filesIn(path) })
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
    return permissionsOf({ kind, definition: JSON.parse(text) })
  } catch (error) {
    const isBroken = error instanceof FormatError || error instanceof SyntaxError || error instanceof TypeError
    if (!isBroken) throw error
    return permissionTypes.map((type) => ({ type, name: `any ${type}` }))
  }
}

/** The files of an archive, with the texts that tell what it may do. */
async function filesIn(path: string): Promise<PackagedFile[]> {
  const wanted = new WantedTexts()
  const files: { path: string; chunks: Buffer[] | undefined }[] = []
  await using archive = await Archive.open(path)
  await archive.inflate((entry) => {
    const chunks: Buffer[] | undefined = wanted.wants(entry.path, entry.size) ? [] : undefined
    if (!entry.isFolder) files.push({ path: entry.path, chunks })
    return (chunk) => void chunks?.push(Buffer.from(chunk))
  })
  return files.map(({ path, chunks }) => ({ path, text: chunks && textOf(Buffer.concat(chunks)) }))
}

/** Undefined for what is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
