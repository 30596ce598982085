// How a picture for a text is stored: decoded and written again by us, and named by a row of the account that it is counted for.
import { hash } from 'node:crypto'
import type { UploadedFile } from '../../contract/files.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { readPicture, requirePicture } from '../pictures.ts'
import { storeThen } from '../stored-files.ts'
import { imageKey, insertImage } from './queries.ts'
import { addressOf } from './rules.ts'

interface Storing {
  uploaderId: string
  /** Counts its bytes, before it has a row; throws where there is no room. */
  spend(db: Transaction, bytes: number): Promise<void>
}

export async function storePicture(
  context: Pick<Context, 'db' | 'now' | 'worker' | 'blobs' | 'log'>,
  file: UploadedFile,
  { uploaderId, spend }: Storing,
): Promise<{ url: string; width: number; height: number }> {
  const { db, now, worker } = context
  await requirePicture(file)
  const { bytes, contentType, width, height } = await readPicture(file, worker())
  const id = newId()
  const size = bytes.byteLength
  const image = { id, uploaderId, contentType, size, sha256: hash('sha256', bytes), createdAt: now }
  await storeThen(context, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
    db.transaction().execute(async (transaction) => {
      await spend(transaction, size)
      await insertImage(transaction, image)
    }),
  )
  return { url: addressOf({ id, width, height }), width, height }
}
