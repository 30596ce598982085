// Pictures of orgs as they are stored: a row names the object that holds the bytes.
import { Problem } from '../../../contract/problem.ts'
import { type Bind, prepared } from '../../../database/prepared.ts'
import { inTransaction } from '../../../database/rows.ts'
import type { Db, Transaction } from '../../../database/schema.ts'

/** Where the bytes are. */
export const imageKey = (id: string): string => `org-images/${id}`

export const insertImage = inTransaction.insertInto('orgImage')

const imageById = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('orgImage as image')
    .innerJoin('orgUpload as org', 'org.id', 'image.orgId')
    .leftJoin('user as author', 'author.id', 'org.authorId')
    .select(['image.id', 'image.contentType', 'image.size'])
    .where('image.id', '=', given('id'))
    .where('org.hidden', '=', 0)
    .where('author.blockedAt', 'is', null),
)

export async function getImage(db: Db, id: string) {
  const { rows } = await imageById(db, { id })
  if (!rows[0]) throw new Problem('not_found', 'No such image')
  return rows[0]
}

/** Where the bytes of all pictures of an org are. */
export async function listImageKeys(db: Db, orgId: string): Promise<string[]> {
  const rows = await db.selectFrom('orgImage').select('id').where('orgId', '=', orgId).execute()
  return rows.map(({ id }) => imageKey(id))
}

/** Some pictures that an account uploaded, with their sizes in bytes. */
export function listImagesBy(db: Db, uploaderId: string, limit: number) {
  const images = db.selectFrom('orgImage').select(['id', 'orgId', 'size']).where('uploaderId', '=', uploaderId)
  return images.orderBy('id').limit(limit).execute()
}

/** Gives a picture to another account. */
export async function updateUploader(db: Transaction, id: string, uploaderId: string): Promise<void> {
  await db.updateTable('orgImage').set({ uploaderId }).where('id', '=', id).execute()
}
