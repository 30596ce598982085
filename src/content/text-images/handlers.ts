// Handlers for pictures of texts.
import { Problem } from '../../contract/problem.ts'
import { standingIn } from '../../contract/standing.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import { pictureAnswer } from '../serving-pictures.ts'
import type { textImages } from './contract.ts'
import { getImage, imageKey } from './queries.ts'
import { storePicture } from './storing.ts'

export const handlers: Handlers<typeof textImages> = {
  async add(context, _input, readForm) {
    const { caller, budget } = context
    const [image] = (await readForm()).files.image
    const spend = (db: Transaction, bytes: number) => budget.spend(db, bytes)
    return storePicture(context, image, { uploaderId: caller.id, spend })
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
