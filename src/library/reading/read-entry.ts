// One file of an artifact as text, for people who read before they install. Archives are read in a thread of their own (handlers.ts).
import { open } from 'node:fs/promises'
import { openArchive } from '../../formats/open-archive.ts'

/** How much of a longer file is read. */
export const MAX_TEXT_BYTES = 256 * 1024

export interface EntryText {
  /** In bytes, unpacked. */
  size: number
  /** Its first 256 KiB; null for what is no text. */
  text: string | null
}

/** A file of an archive, by its path; null when there is none. */
export async function readEntry({ path, entry }: { path: string; entry: string }): Promise<EntryText | null> {
  await using archive = await openArchive(path)
  const found = archive.entries.find((one) => one.path === entry && !one.isFolder)
  if (!found) return null
  const chunks: Buffer[] = []
  let room = MAX_TEXT_BYTES
  await archive.read(found, (chunk) => {
    if (room <= 0) return
    chunks.push(Buffer.from(chunk.subarray(0, room)))
    room -= chunk.length
  })
  return { size: found.size, text: textOf(Buffer.concat(chunks)) }
}

/** The beginning of an artifact that is itself the only file. */
export async function readWhole(path: string): Promise<EntryText> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, MAX_TEXT_BYTES)) })
  return { size, text: textOf(buffer.subarray(0, bytesRead)) }
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
