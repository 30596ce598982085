// Goes through the texts of an import for their pictures, outside of a transaction: an address may be slow.
import { scopeOf } from '../../content/imported/origins.ts'
import type { Db } from '../../database/schema.ts'

import { CommentRecord, ThingRecord } from '../../formats/imports/record.ts'
import { timestamp } from '../../runtime/clock.ts'
import { jsonIn } from '../../runtime/json.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { ImportDone } from './contract.ts'
import { readEnclosed } from './enclosed.ts'
import { type Cursor, following } from './phases.ts'
import {
  fetchPicture,
  forgetTakenBack,
  type PictureDependencies,
  picturesToBring,
  storeImported,
  type TextPicture,
} from './pictures.ts'
import { findImport, listRecords, lockImport, type StoredImport, updateImport } from './queries.ts'
import { NOTHING_DONE } from './report.ts'
import { MAX_PICTURE_BYTES, MAX_PICTURES, ranks } from './rules.ts'

export interface Going extends PictureDependencies {
  /** How many pictures it asks for at most, and bytes of them. */
  most?: { pictures: number; bytes: number }
}

/** Looked at for pictures in one batch, which ends after a while besides: a picture may take long. */
const TEXTS_AT_ONCE = 200
const PICTURE_BATCH_MILLISECONDS = 5_000

/** Brings pictures of the next texts. Each is noted by itself, so that a process that ends asks for the last one alone again. */
export async function bringPictures(going: Going, row: StoredImport, cursor: Cursor): Promise<boolean> {
  const { db, clock, most = { pictures: MAX_PICTURES, bytes: MAX_PICTURE_BYTES } } = going
  const now = timestamp(clock.now())
  const scope = scopeOf(row)
  const rank = cursor.phase === 'picture' ? ranks.thing : ranks.comment
  const records = await listRecords(db, { importId: row.id, after: cursor.after, rank, limit: TEXTS_AT_ONCE })
  const place = { id: row.id, phase: cursor.phase }
  const started = performance.now()
  for (const { body, sortKey } of records) {
    // What is no record fails where it is written.
    const { data } = (cursor.phase === 'picture' ? ThingRecord : CommentRecord).safeParse(jsonIn(body))
    for (const picture of data ? await picturesToBring(db, { id: row.id, scope, now }, data) : []) {
      if (!(await bringPicture(going, { row, scope, picture, most }))) return true
      if (performance.now() - started > PICTURE_BATCH_MILLISECONDS) return true
    }
    if (!(await stepPictures(db, place, (at) => ({ ...at, after: sortKey })))) return true
  }
  if (records.length < TEXTS_AT_ONCE) {
    await stepPictures(db, place, (at) => ({ ...at, phase: following(at.phase), after: '' }))
  }
  return true
}

/** Moves how far it is on, as long as it is in the same phase. */
const stepPictures = (
  db: Db,
  { id, phase }: { id: string; phase: Cursor['phase'] },
  next: (at: Cursor) => Cursor,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const row = await lockImport(transaction, id)
    const at = row && parseJson<Cursor>(row.cursor)
    if (row?.state !== 'running' || at?.phase !== phase) return false
    await updateImport(transaction, id, { cursor: JSON.stringify(next(at)) })
    return true
  })

interface BroughtPicture {
  row: StoredImport
  scope: string
  picture: TextPicture
  most: { pictures: number; bytes: number }
}

/** Asks for a picture, unless that would be too many, and notes the result; false where the import no longer runs. */
async function bringPicture(going: Going, { row: { id }, scope, picture, most }: BroughtPicture): Promise<boolean> {
  const current = await findImport(going.db, id)
  const { done, at } = current ? pictureStateOf(current) : {}
  if (!done || !at) return false
  const hasRoom = done.pictures + done.picturesLeft < most.pictures && (at.bytes ?? 0) < most.bytes
  if (hasRoom) await forgetTakenBack(going.db, scope, picture)
  const { enclosed, address } = picture
  const bring = () => (enclosed ? readEnclosed(going.blobs, enclosed) : fetchPicture(going, address))
  const image = hasRoom ? await bring() : undefined
  const size = image?.bytes.byteLength ?? 0
  const isKept = image && (at.bytes ?? 0) + size <= most.bytes ? image : undefined
  return storeImported(
    going,
    { importId: id, scope, picture },
    {
      image: isKept,
      async mayNote(db) {
        const locked = await lockImport(db, id)
        // Another process was first.
        if (locked?.state !== 'running' || locked.cursor !== current?.cursor || locked.done !== current.done)
          return false
        const noted = isKept ? { pictures: done.pictures + 1 } : { picturesLeft: done.picturesLeft + 1 }
        const cursor = JSON.stringify({ ...at, bytes: (at.bytes ?? 0) + (isKept ? size : 0) })
        await updateImport(db, id, { done: JSON.stringify({ ...done, ...noted }), cursor })
        return true
      },
    },
  )
}

const pictureStateOf = ({ done, cursor }: StoredImport) => ({
  done: { ...NOTHING_DONE, ...parseJson<Partial<ImportDone>>(done) },
  at: parseJson<Cursor>(cursor),
})
