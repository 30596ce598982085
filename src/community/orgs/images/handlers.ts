// Handlers for the images of an org.
import { hash } from 'node:crypto'
import { readPicture, requirePicture } from '../../../content/pictures.ts'
import { recordModeration, requireOwnerOrModerator } from '../../../content/reports/moderation.ts'
import { pictureAnswer } from '../../../content/serving-pictures.ts'
import { storeThen } from '../../../content/stored-files.ts'
import type { Handlers } from '../../../request/handler.ts'
import { newId } from '../../../runtime/ids.ts'
import { getAuthorId, getOrgId, lockOrg } from '../queries.ts'
import { orgActions } from '../subject.ts'
import type { orgImages } from './contract.ts'
import { getImage, imageKey, insertImage } from './queries.ts'

/** In px: the widest place that a page has for one is 960 px, on a dense screen a little less than twice as many. */
const MAX_EDGE = 1_800

export const handlers: Handlers<typeof orgImages> = {
  async add(context, { id: ref }, readForm) {
    const { db, caller, now, budget, worker } = context
    const {
      fields: { reason },
      files: {
        image: [file],
      },
    } = await readForm()
    await requirePicture(file)
    const orgId = await getOrgId(db, ref)
    const authorId = await getAuthorId(db, orgId)
    // Before the picture is decoded, which is expensive.
    requireOwnerOrModerator(caller, authorId)
    const { bytes, contentType, width, height } = await readPicture(file, worker(), MAX_EDGE)
    const id = newId()
    const image = {
      id,
      orgId,
      uploaderId: caller.id,
      contentType,
      size: bytes.byteLength,
      sha256: hash('sha256', bytes),
      createdAt: now,
    }
    await storeThen(context, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
      db.transaction().execute(async (transaction) => {
        await lockOrg(transaction, orgId)
        await budget.spend(transaction, image.size)
        await insertImage(transaction, image)
        const on = { id: orgId, authorId }
        await recordModeration(transaction, context, {
          action: orgActions.addImage,
          on,
          reason,
          detail: { imageId: id },
        })
      }),
    )
    return { url: `/api/images/org/${id}`, width, height }
  },

  async show(context, { key, width }) {
    const image = await getImage(context.db, key)
    return pictureAnswer(context, { key: imageKey(image.id), image, width })
  },
}
