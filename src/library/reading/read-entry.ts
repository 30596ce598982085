// One file of an artifact as text, for people who read before they install. Archives are read in a thread of their own (handlers.ts).
import { open } from 'node:fs/promises'
import { MAX_MESSAGE_BYTES } from '../../contract/sizes.ts'
import { openArchive } from '../../formats/open-archive.ts'

/** How much of a longer file is read. */
export const MAX_TEXT_BYTES = 256 * 1024

export interface EntryText {
  /** In bytes, unpacked. */
  size: number
  /** Its first 256 KiB; null for what is no text. */
  text: string | null
  /** All of it, where that is asked for and is no more than a message holds. */
  base64?: string
}

/** How much is read of a file of so many bytes. */
const roomFor = (size: number, isWhole: boolean) => (isWhole && size <= MAX_MESSAGE_BYTES ? size : MAX_TEXT_BYTES)

/** A file of an archive, by its path; null when there is none. */
export async function readEntry(asked: { path: string; entry: string; isWhole: boolean }): Promise<EntryText | null> {
  const { path, entry, isWhole } = asked
  await using archive = await openArchive(path)
  const found = archive.entries.find((one) => one.path === entry && !one.isFolder)
  if (!found) return null
  const chunks: Buffer[] = []
  let room = roomFor(found.size, isWhole)
  await archive.read(found, (chunk) => {
    if (room <= 0) return
    chunks.push(Buffer.from(chunk.subarray(0, room)))
    room -= chunk.length
  })
  return entryOf(Buffer.concat(chunks), found.size, isWhole)
}

/** The beginning of an artifact that is itself the only file. */
export async function readWhole(path: string, isWhole: boolean): Promise<EntryText> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, roomFor(size, isWhole))) })
  return entryOf(buffer.subarray(0, bytesRead), size, isWhole)
}

/** The beginning as text; and all, where all of it was read. */
function entryOf(bytes: Buffer, size: number, isWhole: boolean): EntryText {
  const text = textOf(bytes.subarray(0, MAX_TEXT_BYTES))
  return { size, text, ...(isWhole && bytes.length === size && { base64: bytes.toString('base64') }) }
}

/** UTF-8 without NUL is text; the cut may be within a character, which is left out then. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
