// The program that draws one picture: SVG that Guildhall wrote arrives on standard input, a PNG goes to standard output.
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

setPriority(4)
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })

const svg = await buffer(process.stdin)
process.stdout.write(
  await sharp(svg, { limitInputPixels: 4_000_000 }).png({ compressionLevel: 9, palette: true }).toBuffer(),
)
