// Pictures for tests, and files that are none.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const filled = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 40, g: 90, b: 160 } } })

/** A picture of a few pixels. */
export async function tinyPicture(format: 'png' | 'jpeg' | 'webp' | 'gif'): Promise<Blob> {
  return new Blob([new Uint8Array(await filled(8, 8).toFormat(format).toBuffer())], { type: `image/${format}` })
}

export const tinyPng = () => tinyPicture('png')

/** A small file that claims to be so many pixels of one bit each, and is. */
export const onePixelDeepPng = (width: number, height: number): Blob =>
  new Blob([new Uint8Array(onePixelDeepBytes(width, height))], { type: 'image/png' })

/** Its bytes. */
export function onePixelDeepBytes(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}
