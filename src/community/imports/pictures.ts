// Pictures of imported texts, stored as ours: fetched from public addresses one by one, before the texts are written, each noted in a transaction with
// how far the import is. Only what our own encoder wrote is kept. What cannot be had keeps its link. They count for no member.
import { hash } from 'node:crypto'
import { findImported, findImportedThing, insertImported } from '../../content/imported/queries.ts'
import { storeThen } from '../../content/stored-files.ts'
import { attachImported, deleteDoomed, imageKey } from '../../content/text-images/queries.ts'
import { addressOf } from '../../content/text-images/rules.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { pictureAddress, picturesIn } from '../../formats/imports/pictures.ts'
import type { CommentRecord, ThingRecord } from '../../formats/imports/record.ts'
import { publicInternet, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { type Image, ImageError, readImage } from '../../storage/images.ts'
import { type Enclosed, enclosedAddress, findEnclosed } from './enclosed.ts'
import { importedId, MAX_BYTES_OF_PICTURE, momentIn } from './rules.ts'

export type PictureDependencies = Pick<Dependencies, 'db' | 'clock' | 'blobs' | 'log' | 'reach'>

const TIMEOUT_MILLISECONDS = 10_000
const MAX_REDIRECTS = 3

/** How rows of `imported` name a picture that is here, and one that could not be had. */
export const PICTURE = 'picture'
export const NO_PICTURE = 'no picture'

const idOf = (scope: string, { address, createdAt }: Pick<TextPicture, 'address' | 'createdAt'>) =>
  importedId(createdAt, scope, PICTURE, address)

/** Removes what an import that was taken back left of a picture, so that the clean-up does not remove it once it is here again. */
export const forgetTakenBack = (db: Db, scope: string, picture: TextPicture): Promise<boolean> =>
  deleteDoomed(db, idOf(scope, picture))

const keyOf = (scope: string, address: string) => ({ scope, sourceId: sha256(address) })

/** A picture that a text has, and what the text is of here. */
export interface TextPicture {
  address: string
  thingId: string
  createdAt: string
  /** It came with the files of the import. */
  enclosed?: Enclosed
}

/** The pictures of a record that is still to be written, and was not looked for yet. */
export async function picturesToBring(
  db: Db,
  { id: importId, scope, now }: { id: string; scope: string; now: string },
  record: ThingRecord | CommentRecord,
): Promise<TextPicture[]> {
  const named = picturesIn(record.text)
  if (named.length === 0) return []
  const on = await findImportedThing(db, { scope, sourceId: record.type === 'thing' ? record.id : record.thing })
  if (!on) return []
  const isHere =
    record.type === 'thing'
      ? on.importId !== importId
      : (await findImported(db, { scope, type: 'comment', sourceId: record.id })) !== undefined
  if (isHere) return []
  const createdAt = momentIn(record.createdAt, now)
  const thingId = record.type === 'thing' ? on.thingId : importedId(createdAt, scope, 'comment', record.id)
  const pictures = new Map<string, TextPicture>()
  for (const one of named) {
    const enclosed = await findEnclosed(db, importId, one)
    const address = enclosed ? enclosedAddress(enclosed, one) : pictureAddress(one, on.url)
    if (address !== undefined && !(await isKnown(db, keyOf(scope, address))))
      pictures.set(address, { address, thingId, createdAt, ...(enclosed && { enclosed }) })
  }
  return [...pictures.values()]
}

const isKnown = async (db: Db, key: ReturnType<typeof keyOf>): Promise<boolean> =>
  ((await findImported(db, { ...key, type: PICTURE })) ?? (await findImported(db, { ...key, type: NO_PICTURE }))) !==
  undefined

/** Our addresses of the pictures of a text, by those that it names. */
export async function ownAddresses(
  db: Db,
  { importId, scope, of }: { importId: string; scope: string; of: string | null | undefined },
  text: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const named of picturesIn(text)) {
    const enclosed = await findEnclosed(db, importId, named)
    const address = enclosed ? enclosedAddress(enclosed, named) : pictureAddress(named, of)
    if (address === undefined) continue
    const row = await findImported(db, { ...keyOf(scope, address), type: PICTURE })
    if (row?.url) found.set(named, row.url)
  }
  return found
}

interface Bringing {
  importId: string
  scope: string
  picture: TextPicture
}

/** What a picture came to: its bytes as we store them, or undefined where it cannot be had. */
export async function fetchPicture(
  { reach = publicInternet }: PictureDependencies,
  address: string,
): Promise<Image | undefined> {
  try {
    const bytes = await bytesAt(new URL(address), reach)
    return bytes && (await readImage(async () => bytes, { by: { owner: 'imports', isFirst: false } }))
  } catch (error) {
    // The queue of pictures is full: the batch is tried again.
    if (error instanceof Problem) throw error
    if (!(error instanceof ImageError || error instanceof Error)) throw error
    return undefined
  }
}

/** Each address of a redirect is looked at as the first one is. */
async function bytesAt(url: URL, reach: NonNullable<PictureDependencies['reach']>): Promise<Buffer | undefined> {
  let at = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (at.protocol !== 'https:' && !(reach.allowsHttp && at.protocol === 'http:')) return undefined
    const request = { timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxBytes: MAX_BYTES_OF_PICTURE }
    const { status, headers, body, isCut } = await sendGuarded(
      at,
      { method: 'GET', headers: { Accept: 'image/png, image/jpeg, image/webp' }, ...request },
      reach,
    )
    if (status === 200) return isCut ? undefined : body
    const next = status >= 300 && status < 400 ? URL.parse(headers.location ?? '', at) : null
    if (!next || next.username || next.password) return undefined
    at = next
  }
  return undefined
}

/** Stores a picture, and does what notes it in the same transaction; false where that says no. */
export function storeImported(
  { db, blobs, log }: PictureDependencies,
  { importId, scope, picture: { address, thingId, createdAt } }: Bringing,
  { image, mayNote }: { image: Image | undefined; mayNote(db: Parameters<typeof insertImported>[0]): Promise<boolean> },
): Promise<boolean> {
  const key = keyOf(scope, address)
  const none = { importId, number: null, ownNumber: null }
  if (!image) {
    return db.transaction().execute(async (transaction) => {
      if (!(await mayNote(transaction))) return false
      await insertImported(transaction, { ...key, ...none, type: NO_PICTURE, thingId: '', url: null })
      return true
    })
  }
  const { bytes, contentType, width, height } = image
  const id = idOf(scope, { address, createdAt })
  const size = bytes.byteLength
  return storeThen({ blobs, log }, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
    db.transaction().execute(async (transaction) => {
      if (!(await mayNote(transaction))) return false
      const stored = { id, uploaderId: DELETED_USER, contentType, size, sha256: hash('sha256', bytes), createdAt }
      await attachImported(transaction, { ...stored, thingId })
      const url = addressOf({ id, width, height })
      await insertImported(transaction, { ...key, ...none, type: PICTURE, thingId: id, url })
      return true
    }),
  )
}
