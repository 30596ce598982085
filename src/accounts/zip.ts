// A zip archive that is written as it is read: neither the archive nor one of its files is ever in memory as a whole.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  name: string
  /** Text shrinks; archives and pictures are stored as they are. */
  compress: boolean
  chunks: AsyncIterable<Uint8Array>
}

/** JSON shrinks well at a low level, and costs little. */
const LEVEL = 4

/** The bytes of an archive of these entries. It has no 64-bit sizes: all of it must stay below 4 GiB and 65,535 entries. */
export async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else waiting.push(chunk)
  })
  const written = () => {
    if (failure) throw failure
    const chunks = waiting
    waiting = []
    return chunks
  }
  for await (const { name, compress, chunks } of entries) {
    const file = compress ? new ZipDeflate(name, { level: LEVEL }) : new ZipPassThrough(name)
    zip.add(file)
    for await (const chunk of chunks) {
      // The writer keeps or changes what it is given.
      file.push(Uint8Array.from(chunk))
      yield* written()
    }
    file.push(new Uint8Array(0), true)
    yield* written()
  }
  zip.end()
  yield* written()
}
