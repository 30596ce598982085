// Handlers for pictures of texts.
import { hash } from 'node:crypto'
import { Problem } from '../../contract/problem.ts'
import { standingIn } from '../../contract/standing.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { readPicture, requirePicture } from '../pictures.ts'
import { pictureAnswer } from '../serving-pictures.ts'
import { storeThen } from '../stored-files.ts'
import type { textImages } from './contract.ts'
import { getImage, imageKey, insertImage } from './queries.ts'
import { addressOf } from './rules.ts'

export const handlers: Handlers<typeof textImages> = {
  async add(context, _input, readForm) {
    const { db, caller, now, budget, worker } = context
    const [file] = (await readForm()).files.image
    await requirePicture(file)
    const { bytes, contentType, width, height } = await readPicture(file, worker())
    const id = newId()
    const size = bytes.byteLength
    const image = { id, uploaderId: caller.id, contentType, size, sha256: hash('sha256', bytes), createdAt: now }
    await storeThen(context, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
      db.transaction().execute(async (transaction) => {
        await budget.spend(transaction, size)
        await insertImage(transaction, image)
      }),
    )
    return { url: addressOf({ id, width, height }), width, height }
  },

  async show(context, { key, width }) {
    const image = await getImage(context.db, key)
    const { boardId } = image
    if (boardId !== null && !standingIn(boardId).read) throw new Problem('not_found', 'No such image')
    const answer = await pictureAnswer(context, { key: imageKey(image.id), image, width })
    return boardId === null
      ? answer
      : { ...answer, headers: { ...answer.headers, 'Cache-Control': 'private, no-cache' } }
  },
}
