// Reads automation.json out of a package, in the browser: just enough of a zip archive for that. The server reads all of it.

const NAME = 'automation.json'
/** The end of the directory is at most so far from the end of the file. */
const MOST_END = 65_557
const MAX_BYTES = 1024 * 1024
const DEFLATED = 8

/** The text of the manifest; undefined where it is not found. */
export async function manifestIn(file: Blob): Promise<string | undefined> {
  const end = await viewOf(file.slice(Math.max(0, file.size - MOST_END)))
  let at = end.byteLength - 22
  while (at >= 0 && end.getUint32(at, true) !== 0x06054b50) at--
  if (at < 0) return undefined
  const [size, start] = [end.getUint32(at + 12, true), end.getUint32(at + 16, true)]
  const directory = await viewOf(file.slice(start, start + size))
  for (let entry = 0; entry + 46 <= directory.byteLength; ) {
    const nameLength = directory.getUint16(entry + 28, true)
    const name = new Uint8Array(directory.buffer, entry + 46, Math.min(nameLength, directory.byteLength - entry - 46))
    if (new TextDecoder().decode(name) === NAME) return textOf(file, directory, entry)
    entry += 46 + nameLength + directory.getUint16(entry + 30, true) + directory.getUint16(entry + 32, true)
  }
  return undefined
}

const viewOf = async (part: Blob) => new DataView(await part.arrayBuffer())

async function textOf(file: Blob, directory: DataView, entry: number): Promise<string | undefined> {
  const packed = directory.getUint32(entry + 20, true)
  const offset = directory.getUint32(entry + 42, true)
  if (directory.getUint32(entry + 24, true) > MAX_BYTES) return undefined
  const local = await viewOf(file.slice(offset, offset + 30))
  const start = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true)
  const data = file.slice(start, start + packed)
  if (directory.getUint16(entry + 10, true) !== DEFLATED) return data.text()
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const [decoder, parts] = [new TextDecoder(), [] as string[]]
  for (let left = MAX_BYTES; left >= 0; ) {
    const { done, value } = await reader.read()
    if (done) return parts.join('')
    parts.push(decoder.decode(value, { stream: true }))
    left -= value.length
  }
  return undefined
}
