// The program that draws one picture: SVG that Guildhall wrote arrives on standard input, a PNG goes to standard output.
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'

setPriority(4)
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadWebpBuffer'] })

const MAX_PIXELS = 4_000_000
const WEBP = /data:image\/webp;base64,([A-Za-z0-9+/=]+)/g

/** Faces in the SVG that are WebP, which the renderer of SVG does not read, become PNG. */
async function withPng(svg: string): Promise<string> {
  const made = new Map<string, string>()
  for (const [address, data = ''] of svg.matchAll(WEBP)) {
    if (made.has(address)) continue
    const png = await sharp(Buffer.from(data, 'base64'), { limitInputPixels: MAX_PIXELS, pages: 1 }).png().toBuffer()
    made.set(address, `data:image/png;base64,${png.toString('base64')}`)
  }
  return svg.replace(WEBP, (address) => made.get(address) ?? '')
}

const svg = Buffer.from(await withPng(await text(process.stdin)))
process.stdout.write(
  await sharp(svg, { limitInputPixels: MAX_PIXELS }).png({ compressionLevel: 9, palette: true }).toBuffer(),
)
