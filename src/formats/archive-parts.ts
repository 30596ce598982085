// What an archive is made of, for the comparison of two: its files with their hashes, and the steps of its actions.
import { createHash } from 'node:crypto'
import type { ArchiveFile } from './archive-entry.ts'
import { textOf } from './file-permissions.ts'
import {
  bounded,
  comparedText,
  type FilePart,
  type ItemParts,
  MAX_COMPARED_BYTES,
  type Part,
  part,
  textIn,
} from './item-parts.ts'
import { hashOfValue, jsonOf } from './json-tokens.ts'
import { isObject } from './permission-set.ts'
import { type PackagedFile, type Permission, WantedTexts } from './permissions.ts'

/**
 * Reads all of an archive.
 *
 * @param permissionsOf tells what its files may do; it gets the texts that `WantedTexts` asks for
 * @throws FormatError for one that cannot be read
 */
export async function archiveParts(
  archive: ArchiveFile,
  permissionsOf: (files: readonly PackagedFile[]) => Permission[],
  wanted = new WantedTexts(),
): Promise<ItemParts> {
  const read = new Map<string, { bytes?: Buffer; sha256: string }>()
  const entries = archive.entries.filter(({ isFolder }) => !isFolder)
  const isRead = new Map(entries.map(({ path, size }) => [path, wanted.wants(path, size)]))
  await archive.inflate(({ path, size, isFolder }) => {
    const hash = createHash('sha256')
    const chunks: Buffer[] | undefined = isRead.get(path) || size <= MAX_COMPARED_BYTES ? [] : undefined
    const done = { sha256: '' }
    if (!isFolder) read.set(path, done)
    let left = size
    const finish = () =>
      Object.assign(done, { sha256: hash.digest('hex'), ...(chunks && { bytes: Buffer.concat(chunks) }) })
    if (size === 0) finish()
    return (chunk) => {
      hash.update(chunk)
      chunks?.push(Buffer.from(chunk))
      left -= chunk.length
      if (left === 0 && chunk.length > 0) finish()
    }
  })
  const texts = entries.map(({ path }): PackagedFile => {
    const bytes = isRead.get(path) ? read.get(path)?.bytes : undefined
    return bytes ? { path, text: textOf(bytes) } : { path }
  })
  const files = entries.map(({ path, size }): FilePart => {
    const { bytes, sha256 } = read.get(path) ?? { sha256: '' }
    return { path, size, sha256, text: bytes && size <= MAX_COMPARED_BYTES ? comparedText(path, bytes) : undefined }
  })
  return {
    permissions: permissionsOf(texts),
    files,
    nodes: [],
    ...bounded('steps', stepsOf(texts)),
  }
}

/** The steps of every action; one without an id is another one when it changes. */
function stepsOf(files: readonly PackagedFile[]): Part[] {
  return files.flatMap(({ path, text }) => {
    const action = path.match(/^actions\/(.+)\.json$/)?.[1]
    const value = action === undefined || text === undefined ? undefined : jsonOf(Buffer.from(text))
    const steps = isObject(value) && Array.isArray(value['steps']) ? value['steps'] : []
    return steps.map((step, index) => {
      const given = isObject(step) ? step : {}
      const sha256 = hashOfValue(step)
      const type =
        textIn(given, 'step') ??
        textIn(given, 'type') ??
        textIn(given, 'action') ??
        (typeof step === 'string' ? step : '')
      const own = textIn(given, 'id') ?? textIn(given, 'name')
      return part({ id: `${action} ${own ?? sha256}`, name: `${action} ${own ?? index + 1}`, type, sha256 })
    })
  })
}
