// Pictures of members as they are sent: as they are stored, or narrower, for a screen that shows no more.
import { readerAt } from '../budgets/network.ts'
import type { FileAnswer } from '../contract/files.ts'
import { Problem } from '../contract/problem.ts'
import type { Context } from '../request/handler.ts'
import { formatOf, ImageError, narrowImage } from '../storage/images.ts'
import { madeOnce } from '../storage/made-once.ts'
import { openObject, uploadedHeaders } from './stored-files.ts'

interface PictureParams {
  /** Of the stored object. */
  key: string
  /** `id` changes with the bytes. */
  image: { id: string; contentType: string; size: number }
  /** The stored bytes, where they were read already. */
  bytes?: Buffer
  width: string | undefined
}

type PictureContext = Pick<Context<unknown>, 'blobs' | 'address' | 'log'>

/** A page has many small pictures, whose headers weigh as much as they do: a program needs to read no other header of one. */
const pictureHeaders = { ...uploadedHeaders, 'Access-Control-Expose-Headers': 'ETag' }

/** A stored picture, at most `width` px wide. One that cannot be made narrower now comes as it is. */
export async function pictureAnswer(serving: PictureContext, shown: PictureParams): Promise<FileAnswer> {
  const { key, image, width, bytes } = shown
  const { id, contentType, size } = image
  const narrow = width && (await narrowed(serving, shown, Number(width)))
  if (narrow) {
    const made = { contentType: `image/${formatOf(narrow)}`, size: narrow.length, tag: `${id} ${width}` }
    return { ...made, headers: pictureHeaders, source: { bytes: narrow } }
  }
  const open = (range?: { start: number; end: number }) => openObject(serving.blobs, key, range)
  const source = bytes ? { bytes } : { open }
  return { contentType, size, tag: id, headers: pictureHeaders, source }
}

async function narrowed(
  { blobs, address, log }: PictureContext,
  { key, image, bytes }: PictureParams,
  width: number,
): Promise<Buffer | undefined> {
  try {
    return await madeOnce(`${image.id} ${width}`, readerAt(address), async () => {
      const stored = bytes ?? (await blobs.objects.get(key))?.bytes
      if (!stored) throw new Problem('not_found', 'No such file')
      return narrowImage(stored, width)
    })
  } catch (error) {
    const isBusy = error instanceof Problem && error.code === 'unavailable'
    if (!isBusy && !(error instanceof ImageError)) throw error
    log.warn({ err: error, key, width }, 'a picture is sent as it is stored')
  }
}
