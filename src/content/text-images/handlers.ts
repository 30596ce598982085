// Handlers for pictures of texts.
import { Problem } from '../../contract/problem.ts'
import { standingIn } from '../../contract/standing.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import { forwarded } from '../merged/queries.ts'
import { pictureAnswer } from '../serving-pictures.ts'
import type { Commentable } from '../things.ts'
import type { textImages } from './contract.ts'
import { getImage, imageKey } from './queries.ts'
import { storePicture } from './storing.ts'

const noSuchImage = () => new Problem('not_found', 'No such image')

/** Refuses a picture while what its comment is on, or what its thing was merged into, is not seen by the running call. */
function placeCheck(commentables: readonly Commentable[]) {
  const byType = new Map(commentables.map((commentable) => [commentable.type, commentable]))
  return async (
    db: Db,
    { placeType, placeId }: { placeType: string | null; placeId: string | null },
  ): Promise<void> => {
    if (placeType === null || placeId === null) return
    const place = byType.get(placeType)
    if (!place) throw noSuchImage()
    await forwarded(db, placeId, (id) => place.findUrl(db, id)).catch((error: unknown) => {
      throw error instanceof Problem ? noSuchImage() : error
    })
  }
}

/** `commentables` is everything that can be commented on. */
export const handlersOfTextImages = (commentables: readonly Commentable[]): Handlers<typeof textImages> => {
  const assertPlaceSeen = placeCheck(commentables)
  return {
    async add(context, _input, readForm) {
      const { caller, budget } = context
      const [image] = (await readForm()).files.image
      const spend = (db: Transaction, bytes: number) => budget.spend(db, bytes)
      return storePicture(context, image, { uploaderId: caller.id, spend })
    },

    async show(context, { key, width }) {
      const image = await getImage(context.db, key)
      await assertPlaceSeen(context.db, image)
      const { boardId } = image
      if (boardId !== null && !standingIn(boardId).read) throw noSuchImage()
      const answer = await pictureAnswer(context, { key: imageKey(image.id), image, width })
      return boardId === null
        ? answer
        : { ...answer, headers: { ...answer.headers, 'Cache-Control': 'private, no-cache' } }
    },
  }
}
