// Pictures of texts as they are stored: a row names the object that holds the bytes, and what the picture belongs to.
import { sql } from 'kysely'
import { Problem } from '../../contract/problem.ts'
import { countChanged } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
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

/** A picture that came with a text of an import. */
export const attachImported = async (db: Transaction, image: Omit<TextImageTable, 'gone'>): Promise<void> =>
  void (await db
    .insertInto('textImage')
    .values({ ...image, gone: 0 })
    .execute())

/** Marks a picture that goes by itself. */
export const markImageGone = async (db: Transaction, id: string): Promise<void> =>
  void (await db.updateTable('textImage').set({ gone: 1 }).where('id', '=', id).execute())

/**
 * Who has the address of a picture in a draft wrote the draft: only other reasons to hide a thing hide its pictures. That of a closed board is
 * asked by itself; a merged thing of a closed board shows to no reader.
 */
const concealing = (table: (typeof HOLDERS)[number]) =>
  sql.lit(~(table === 'mergedThing' ? hiddenBy.draft : hiddenBy.draft | hiddenBy.board) & 0xff)
const isConcealed = sql<boolean>`(${sql.join(
  HOLDERS.map(
    (table) =>
      sql`exists (select 1 from ${sql.table(table)} t where t.id = image."thingId" and (t.hidden & ${concealing(table)}) <> 0)`,
  ),
  sql` or `,
)})`

const BOARDED = ['bug', 'feature', 'post', 'release'] as const

/** The closed board that a picture is in: that of its thing, or of the thing that its comment is on. */
const closedBoard = sql<string | null>`coalesce(${sql.join(
  BOARDED.map(
    (table) => sql`(select t."boardId" from ${sql.table(table)} t
      where t.id = coalesce((select c."targetId" from comment c where c.id = image."thingId"), image."thingId")
      and (t.hidden & ${sql.lit(hiddenBy.board)}) <> 0)`,
  ),
)})`

const imageById = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('textImage as image')
    .leftJoin('comment as said', 'said.id', 'image.thingId')
    .leftJoin('mergedThing as merged', 'merged.id', 'image.thingId')
    .select(['image.id', 'image.contentType', 'image.size', closedBoard.as('boardId')])
    .select(({ fn }) => [
      fn.coalesce('said.targetType', 'merged.type').as('placeType'),
      fn.coalesce('said.targetId', 'merged.targetId').as('placeId'),
    ])
    .where('image.id', '=', given('id'))
    .where('image.gone', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user').select('id').whereRef('id', '=', 'image.uploaderId').where('blockedAt', 'is not', null),
        ),
      ),
    )
    .where(sql<boolean>`not ${isConcealed}`),
)

/** A picture whose thing is not hidden. `placeId` is what its comment is on, or what its thing was merged into: that can be hidden too. */
export async function getImage(db: Db, id: string) {
  const { rows } = await imageById(db, { id })
  if (!rows[0]) throw new Problem('not_found', 'No such image')
  return rows[0]
}

/** Some pictures whose thing is gone. */
export async function listGone(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('textImage').select('id').where('gone', '=', 1).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Pictures that no text names since `before`. */
const loose = (db: Db, before: string) =>
  db.selectFrom('textImage').where('thingId', 'is', null).where('gone', '=', 0).where('createdAt', '<=', before)

/** Some accounts after one that uploaded such pictures. */
export async function listLooseUploaders(db: Db, before: string, { after, limit }: Window): Promise<string[]> {
  const uploaders = loose(db, before).select('uploaderId').distinct().where('uploaderId', '>', after)
  return (await uploaders.orderBy('uploaderId').limit(limit).execute()).map(({ uploaderId }) => uploaderId)
}

interface Window {
  after: string
  limit: number
}

/** Some of these pictures of an account after one. */
export async function listLooseOf(
  db: Db,
  { uploaderId, before }: { uploaderId: string; before: string },
  { after, limit }: Window,
): Promise<string[]> {
  const images = loose(db, before).select('id').where('uploaderId', '=', uploaderId).where('id', '>', after)
  return (await images.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** What an account typed into forms and did not send, as it is stored: at most some megabytes. */
export async function listDrafted(db: Db, userId: string): Promise<string[]> {
  const drafts = await db.selectFrom('formDraft').select('fields').where('userId', '=', userId).execute()
  return drafts.map(({ fields }) => fields)
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

/** So many pictures of a text become part of what it is the text of. */
export const MAX_ATTACHED = 50

const ADDRESS = /\/api\/images\/text\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g

/** All pictures that texts name. */
export const namedIn = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(ADDRESS)].map(([, id = '']) => id)))

/** The pictures that texts name, each once, as far as they become part of something. */
export const imagesIn = (texts: readonly string[]): string[] => [...namedIn(texts)].slice(0, MAX_ATTACHED)

/** Makes pictures that an account uploaded part of a thing, as far as they are part of none. */
async function updateThing(
  db: Transaction,
  ids: readonly string[],
  { uploaderId, thingId }: { uploaderId: string; thingId: string },
): Promise<void> {
  const loose = db.updateTable('textImage').set({ thingId }).where('id', 'in', ids).where('thingId', 'is', null)
  await loose.where('uploaderId', '=', uploaderId).where('gone', '=', 0).execute()
}

interface AttachParams {
  thingId: string
  /** The account that writes. */
  by: string
  texts: readonly string[]
}

export async function attachImages(db: Transaction, { thingId, by, texts }: AttachParams): Promise<void> {
  const ids = imagesIn(texts)
  if (ids.length > 0) await updateThing(db, ids, { thingId, uploaderId: by })
}

/** Marks the pictures of things that do not come back; a row that goes marks its own (migrations/0001-start/triggers.ts). */
export async function markImagesGone(db: Transaction, thingIds: readonly string[]): Promise<void> {
  if (thingIds.length > 0) await db.updateTable('textImage').set({ gone: 1 }).where('thingId', 'in', thingIds).execute()
}
