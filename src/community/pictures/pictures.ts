// Pictures that people upload: what is kept is what our own encoder wrote, and every refusal says why.
import { readFile } from 'node:fs/promises'
import type { UploadedFile } from '../../contract/files.ts'
import { Problem } from '../../contract/problem.ts'
import { type Image, ImageError, readImage } from '../../platform/images.ts'

/** Decodes an uploaded picture and writes it again; throws what its sender should know. */
export async function readPicture(file: UploadedFile): Promise<Image> {
  try {
    return await readImage(await readFile(file.path))
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    if (error.code === 'busy') throw new Problem('rate_limited', error.message, { retryAfterSeconds: 60 })
    throw new Problem('invalid_request', error.message)
  }
}
