// The program that decodes one image: its bytes arrive on standard input, the result (ImageAnswer and a line feed, then the new
// bytes) goes to standard output. The only file that imports sharp; no server code is loaded here.
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { type ImageAnswer, type ImageFormat, maxPixels } from './images.ts'

// The server has priority, but a busy machine must not starve an image until its timeout.
setPriority(4)
sharp.concurrency(1)
sharp.cache(false)
// Of all the decoders in the library only these three are enabled, regardless of the bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] })

const encodings = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 85 },
  // Higher efforts take up to 6 s for 25 megapixels and save a few per cent.
  webp: { quality: 85, effort: 2 },
}

interface ImageRequest {
  format: ImageFormat
  /** Of both edges, in px. */
  maxEdge: number | undefined
  /** Of a WebP to make of it. */
  width: number | undefined
}

async function answerTo(
  bytes: Buffer,
  { format, maxEdge, width }: ImageRequest,
): Promise<{ answer: ImageAnswer; picture?: Buffer }> {
  const options = { limitInputPixels: false, sequentialRead: true, failOn: 'error', pages: 1 } as const
  const found = await sharp(bytes, options).metadata()
  if (found.format !== format) return refused('unreadable', 'The image cannot be decoded')
  if (found.width * found.height > maxPixels) {
    return refused('too_large', `The image has more than ${maxPixels / 1_000_000} megapixels`)
  }
  const whole = sharp(bytes, { ...options, limitInputPixels: maxPixels }).autoOrient()
  const picture = maxEdge
    ? whole.resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
    : width
      ? whole.resize({ width, withoutEnlargement: true })
      : whole
  const made = width ? 'webp' : format
  // Metadata is left out by that: sharp writes none unless asked.
  const { data, info } = await picture.toFormat(made, encodings[made]).toBuffer({ resolveWithObject: true })
  return { answer: { width: info.width, height: info.height }, picture: data }
}

function refused(code: 'unreadable' | 'too_large', because: string) {
  return { answer: { refused: code, because } }
}

const [format, edge, across] = process.argv.slice(2)
const wanted = { format: format as ImageFormat, maxEdge: Number(edge) || undefined, width: Number(across) || undefined }
const { answer, picture } = await answerTo(await buffer(process.stdin), wanted).catch(() => ({
  ...refused('unreadable', 'The image cannot be decoded; it may be damaged or incomplete'),
  picture: undefined,
}))
process.stdout.write(`${JSON.stringify(answer)}\n`)
if (picture) process.stdout.write(picture)
