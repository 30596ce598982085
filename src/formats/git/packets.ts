// The lines in which git talks: four hex digits with the length of each, and some lengths that are marks (git-scm.com/docs/gitprotocol-common).

/** What was sent is no such lines. */
export class PacketError extends Error {
  override name = 'PacketError'
}

export type Packet = 'flush' | 'delim' | { line: string }

/** The end of a message, and of one of its parts. */
export const FLUSH = Buffer.from('0000')
export const DELIM = Buffer.from('0001')
/** Of a line with the digits before it. */
const MAX_BYTES = 65_520
const DIGITS = 4

/** @throws PacketError for anything else */
export function readPackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = []
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString('latin1', at, at + DIGITS)
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new PacketError('expected the length of a line')
    const length = Number.parseInt(digits, 16)
    if (length > 1 && length <= DIGITS) throw new PacketError('expected a line with something in it')
    if (length > MAX_BYTES || at + length > bytes.length) throw new PacketError('expected a whole line')
    if (length <= 1) packets.push(length === 0 ? 'flush' : 'delim')
    else packets.push({ line: bytes.toString('utf8', at + DIGITS, at + length).replace(/\n$/, '') })
    at += Math.max(length, DIGITS)
  }
  return packets
}

/** A line of text. */
export const packet = (text: string): Buffer => framed(Buffer.from(`${text}\n`))

const framed = (content: Uint8Array): Buffer => Buffer.concat([lengthOf(content.length), content])

const lengthOf = (bytes: number) => Buffer.from((bytes + DIGITS).toString(16).padStart(DIGITS, '0'))

/** Bytes on the band of data, in pieces, each of them made when it is taken. */
export function* onDataBand(bytes: Uint8Array): Generator<Uint8Array> {
  const most = MAX_BYTES - DIGITS - 1
  for (let at = 0; at < bytes.length; at += most) {
    const piece = bytes.subarray(at, at + most)
    yield Buffer.concat([lengthOf(piece.length + 1), Buffer.from([1]), piece])
  }
}
