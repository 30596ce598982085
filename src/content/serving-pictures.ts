// Pictures of members as they are sent: as they are stored, or narrower, for a screen that shows no more.
import { networkOf } from '../budgets/budgets.ts'
import type { FileAnswer } from '../contract/files.ts'
import { Problem } from '../contract/problem.ts'
import type { Context } from '../request/handler.ts'
import { formatOf, ImageError, narrowImage } from '../storage/images.ts'
import { madeOnce } from '../storage/made-once.ts'
import { openObject, uploadedHeaders } from './stored-files.ts'

interface Shown {
  /** Of the stored object. */
  key: string
  image: { id: string; contentType: string; size: number }
  width: string | undefined
}

type Serving = Pick<Context<unknown>, 'blobs' | 'address' | 'log'>

/** A stored picture, at most `width` px wide. One that cannot be made narrower now comes as it is. */
export async function pictureAnswer(serving: Serving, { key, image, width }: Shown): Promise<FileAnswer> {
  const { id, contentType, size } = image
  const narrow = width && (await narrowed(serving, key, Number(width)))
  if (narrow) {
    const made = { contentType: `image/${formatOf(narrow)}`, size: narrow.length, tag: `${id} ${width}` }
    return { ...made, headers: uploadedHeaders, source: { bytes: narrow } }
  }
  const source = { open: (range?: { start: number; end: number }) => openObject(serving.blobs, key, range) }
  return { contentType, size, tag: id, headers: uploadedHeaders, source }
}

async function narrowed({ blobs, address, log }: Serving, key: string, width: number): Promise<Buffer | undefined> {
  try {
    return await madeOnce(`${key} ${width}`, `network ${networkOf(address)}`, async () => {
      const found = await blobs.objects.get(key)
      if (!found) throw new Problem('not_found', 'No such file')
      return narrowImage(found.bytes, width)
    })
  } catch (error) {
    const isBusy = error instanceof Problem && error.code === 'unavailable'
    if (!isBusy && !(error instanceof ImageError)) throw error
    log.warn({ err: error, key, width }, 'a picture is sent as it is stored')
  }
}
