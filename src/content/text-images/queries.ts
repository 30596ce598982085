// Pictures of texts as they are stored: a row names the object that holds the bytes, and what the picture belongs to.
import { sql } from 'kysely'
import { Problem } from '../../contract/problem.ts'
import { countChanged } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import { plain } from '../../database/rows.ts'
import type { Db, TextImageTable, Transaction } from '../../database/schema.ts'
import { hiddenBy } from '../hiding/rules.ts'

/** Where the bytes are. */
export const imageKey = (id: string): string => `text-images/${id}`

/** The tables of what has pictures; a thing that was merged has its row in the last. */
const HOLDERS = ['bug', 'feature', 'post', 'release', 'comment', 'orgUpload', 'mergedThing'] as const

export async function insertImage(db: Transaction, image: Omit<TextImageTable, 'gone' | 'thingId'>): Promise<void> {
  await db
    .insertInto('textImage')
    .values({ ...image, thingId: null, gone: 0 })
    .execute()
}

/** Who has the address of a picture in a draft wrote the draft: only other reasons to hide a thing hide its pictures. */
const concealing = sql.lit(~hiddenBy.draft & 0xff)
const isConcealed = sql<boolean>`(${sql.join(
  HOLDERS.map(
    (table) =>
      sql`exists (select 1 from ${sql.table(table)} t where t.id = image."thingId" and (t.hidden & ${concealing}) <> 0)`,
  ),
  sql` or `,
)})`

const imageById = prepared((db, given: Given<{ id: string }>) =>
  db
    .selectFrom('textImage as image')
    .select(['image.id', 'image.contentType', 'image.size'])
    .where('image.id', '=', given('id'))
    .where('image.gone', '=', 0)
    .where(sql<boolean>`not ${isConcealed}`),
)

export async function getImage(db: Db, id: string) {
  const { rows } = await imageById(db, { id })
  if (!rows[0]) throw new Problem('not_found', 'No such image')
  return rows[0]
}

type Doomed = Pick<TextImageTable, 'id' | 'uploaderId'>

/** Some pictures whose thing is gone, or that no text and no draft names since `before`. */
export async function listDoomed(db: Db, before: string, limit: number): Promise<Doomed[]> {
  const { rows } = await sql<Doomed>`
    select id, "uploaderId" from "textImage" where gone = 1
    union all select id, "uploaderId" from "textImage" image where "thingId" is null and gone = 0 and "createdAt" <= ${before}
      and not exists (select 1 from "formDraft" d where d."userId" = image."uploaderId" and d.fields like '%' || image.id || '%')
    order by "uploaderId", id limit ${limit}`.execute(db)
  return rows
}

/** Removes a picture, unless it became part of a thing since it was listed. */
export async function deleteDoomed(db: Db, id: string): Promise<boolean> {
  const gone = db.deleteFrom('textImage').where('id', '=', id)
  return (await countChanged(gone.where((row) => row.or([row('gone', '=', 1), row('thingId', 'is', null)])))) > 0
}

/** Removes a picture, also one that a text names. */
export const deleteImage = plain.deleteFrom('textImage', 'id')

/** Some pictures that an account uploaded, with their sizes in bytes. */
export function listImagesBy(db: Db, uploaderId: string, limit: number) {
  const images = db.selectFrom('textImage').select(['id', 'thingId', 'size', 'gone'])
  return images.where('uploaderId', '=', uploaderId).orderBy('id').limit(limit).execute()
}

/** Gives a picture to another account; false where it is gone by now. */
export async function updateUploader(db: Transaction, id: string, uploaderId: string): Promise<boolean> {
  return (await countChanged(db.updateTable('textImage').set({ uploaderId }).where('id', '=', id))) > 0
}
