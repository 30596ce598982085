// Takes the place of node:zlib in the bundle (build.js): Node 18 has no crc32 there, and its inflaters do not refuse bytes that follow
// the compressed data.
import zlib from 'node:zlib'

export const { createGunzip, createInflateRaw, deflateRawSync } = zlib

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** ISO 3309, as zip archives have it. */
function crc32Of(bytes: Uint8Array, before = 0): number {
  let value = ~before
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}

export const crc32: (bytes: Uint8Array, before?: number) => number = zlib.crc32 ?? crc32Of

type Inflated = { buffer: Buffer; engine: { bytesWritten: number } }

export function inflateRawSync(packed: Buffer, options: zlib.ZlibOptions): Buffer {
  const { buffer, engine } = zlib.inflateRawSync(packed, { ...options, info: true }) as never as Inflated
  if (engine.bytesWritten >= packed.length) return buffer
  throw Object.assign(new Error('Trailing garbage found after the end of the compressed stream'), {
    code: 'ERR_TRAILING_JUNK_AFTER_STREAM_END',
  })
}
