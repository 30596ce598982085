// Makes the pictures that a text names part of what it is the text of, in the transaction that writes the text: they stay as long as
// that, and are seen by those who see it. Only pictures of the account that writes; those of others are part of something else.
import type { Transaction } from '../../database/schema.ts'

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

interface Written {
  thingId: string
  /** The account that writes. */
  by: string
  texts: readonly string[]
}

export async function attachImages(db: Transaction, { thingId, by, texts }: Written): Promise<void> {
  const ids = imagesIn(texts)
  if (ids.length > 0) await updateThing(db, ids, { thingId, uploaderId: by })
}

/** Marks the pictures of things that do not come back; a row that goes marks its own (migration 0092). */
export async function markImagesGone(db: Transaction, thingIds: readonly string[]): Promise<void> {
  if (thingIds.length > 0) await db.updateTable('textImage').set({ gone: 1 }).where('thingId', 'in', thingIds).execute()
}
