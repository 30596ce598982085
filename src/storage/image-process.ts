// The program that decodes one picture: its bytes come in on standard input, the answer (ImageAnswer and a line feed, then
// the new bytes) goes out on standard output. The only file that knows sharp; nothing of the server is loaded here.
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { type ImageAnswer, type ImageFormat, maxPixels } from './images.ts'

// The server goes first, but not so far that a busy machine starves a picture until its time is over.
setPriority(4)
sharp.concurrency(1)
sharp.cache(false)
// Of all the decoders on board only these three can be reached, whatever the bytes claim to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] })

const encodings = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 85 },
  // Higher efforts take up to 6 s for 25 megapixels and save a few per cent.
  webp: { quality: 85, effort: 2 },
}

async function answerTo(bytes: Buffer, format: ImageFormat): Promise<{ answer: ImageAnswer; picture?: Buffer }> {
  const options = { limitInputPixels: false, sequentialRead: true, failOn: 'error', pages: 1 } as const
  const found = await sharp(bytes, options).metadata()
  if (found.format !== format) return refused('unreadable', 'The image cannot be decoded')
  if (found.width * found.height > maxPixels) {
    return refused('too_large', `The image has more than ${maxPixels / 1_000_000} megapixels`)
  }
  const picture = sharp(bytes, { ...options, limitInputPixels: maxPixels }).autoOrient()
  const { data, info } = await picture.toFormat(format, encodings[format]).toBuffer({ resolveWithObject: true })
  return { answer: { width: info.width, height: info.height }, picture: data }
}

function refused(code: 'unreadable' | 'too_large', because: string) {
  return { answer: { refused: code, because } }
}

const { answer, picture } = await answerTo(await buffer(process.stdin), process.argv[2] as ImageFormat).catch(() => ({
  ...refused('unreadable', 'The image cannot be decoded; it may be damaged or incomplete'),
  picture: undefined,
}))
process.stdout.write(`${JSON.stringify(answer)}\n`)
if (picture) process.stdout.write(picture)
