import type { Handlers } from '../../../handler.ts'
import { newId } from '../../../platform/ids.ts'
import { requireOwnerOrModerator } from '../../access.ts'
import { readPicture } from '../../pictures/pictures.ts'
import { openObject, storeThen, uploadedHeaders } from '../../stored-files.ts'
import { getAuthorId, getOrgId, lockOrg } from '../queries.ts'
import type { orgImages } from './contract.ts'
import { getImage, imageKey, insertImage } from './queries.ts'

export const handlers: Handlers<typeof orgImages> = {
  async add(context, { id: ref }, readForm) {
    const { db, caller, now } = context
    const [file] = (await readForm()).files.image
    const orgId = await getOrgId(db, ref)
    // Before the picture is decoded, which is dear.
    requireOwnerOrModerator(caller, await getAuthorId(db, orgId))
    const { bytes, contentType } = await readPicture(file!)
    const id = newId()
    const image = { id, orgId, uploaderId: caller.id, contentType, size: bytes.byteLength, createdAt: now }
    await storeThen(context, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
      db.transaction().execute(async (transaction) => {
        await lockOrg(transaction, orgId)
        await insertImage(transaction, image)
      }),
    )
    return { url: `/api/images/org/${id}` }
  },

  async show({ db, blobs }, { key }) {
    const { id, contentType, size } = await getImage(db, key)
    return {
      contentType,
      size,
      tag: id,
      headers: uploadedHeaders,
      source: { open: (range) => openObject(blobs, imageKey(id), range) },
    }
  },
}
