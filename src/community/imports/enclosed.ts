// Pictures that came with the files of an import: those that texts name are stored when they are read, as pictures of the import itself, which no page
// shows. Once it is started they are stored again as pictures of their texts; the first ones go with its records.
import { hash } from 'node:crypto'
import { storeThen } from '../../content/stored-files.ts'
import { attachImported, imageKey } from '../../content/text-images/queries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { Db } from '../../database/schema.ts'
import { bytesWithin } from '../../formats/imports/opening.ts'
import { PicturePaths, picturesIn } from '../../formats/imports/pictures.ts'
import { SourceError, type SourceFile } from '../../formats/imports/record.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { type Image, ImageError, readImage } from '../../storage/images.ts'
import { findRecord, insertRecords, lockImport } from './queries.ts'
import { MAX_BYTES_OF_PICTURE, MAX_PICTURE_BYTES, MAX_PICTURES } from './rules.ts'

/** A picture that waits: where its bytes are. */
export interface Enclosed extends Pick<Image, 'contentType' | 'width' | 'height'> {
  id: string
  sha256: string
}

/** Its place among the records: behind those of all ranks. */
const keyOf = (named: string): string => `9 ${sha256(named)}`

/** How rows of `imported` name it: a later export may have another picture by the same name. */
export const enclosedAddress = ({ sha256 }: Enclosed, named: string): string => `enclosed:${sha256} ${named}`

/** The picture that a text names, where it came with the files of this import. */
export async function findEnclosed(db: Db, importId: string, named: string): Promise<Enclosed | undefined> {
  const body = await findRecord(db, importId, keyOf(named))
  return body === undefined ? undefined : parseJson<Enclosed>(body)
}

/** Its bytes; undefined where they are gone. */
export async function readEnclosed(blobs: Dependencies['blobs'], picture: Enclosed): Promise<Image | undefined> {
  const { contentType, width, height } = picture
  const found = await blobs.objects.get(imageKey(picture.id))
  const format = (['png', 'jpeg', 'webp'] as const).find((one) => contentType === `image/${one}`)
  return found && format && { bytes: Buffer.from(found.bytes), format, contentType, width, height }
}

export type StagingDependencies = Pick<Dependencies, 'db' | 'blobs' | 'log'>

export interface EnclosedOptions {
  storing: StagingDependencies
  pictures: ReadonlyMap<string, SourceFile>
  importId: string
  now: string
  most?: { pictures: number; bytes: number }
}

/** Stores pictures of an export as texts name them. */
export class EnclosedPictures {
  readonly #options: EnclosedOptions
  readonly #paths: PicturePaths
  readonly #seen = new Set<string>()
  #bytes = 0
  /** Stored, and those that could not be read or are too many. */
  kept = 0
  left = 0

  constructor(options: EnclosedOptions) {
    this.#options = options
    this.#paths = new PicturePaths(options.pictures.keys())
  }

  /** Looks at a text. Throws `SourceError` where the import was taken back. */
  async take(text: string): Promise<void> {
    const { pictures, most = { pictures: MAX_PICTURES, bytes: MAX_PICTURE_BYTES } } = this.#options
    if (pictures.size === 0) return
    for (const named of picturesIn(text)) {
      const path = this.#seen.has(named) ? undefined : this.#paths.find(named)
      const file = path === undefined ? undefined : pictures.get(path)
      if (!file) continue
      this.#seen.add(named)
      const image = this.kept < most.pictures ? await imageOf(file) : undefined
      const size = image?.bytes.length ?? 0
      if (!image || this.#bytes + size > most.bytes) {
        this.left++
        continue
      }
      await this.#keep(named, image)
      this.kept++
      this.#bytes += size
    }
  }

  #keep(named: string, { bytes, contentType, width, height }: Image): Promise<void> {
    const { storing, importId, now } = this.#options
    const id = newId()
    return storeThen(storing, [{ key: imageKey(id), contentType, read: async () => bytes }], () =>
      storing.db.transaction().execute(async (db) => {
        if ((await lockImport(db, importId))?.state !== 'staged') throw new SourceError('the import was taken back')
        const digest = hash('sha256', bytes)
        const stored = { contentType, size: bytes.length, sha256: digest, createdAt: now }
        await attachImported(db, { id, uploaderId: DELETED_USER, thingId: importId, ...stored })
        const body = JSON.stringify({ id, sha256: digest, contentType, width, height } satisfies Enclosed)
        await insertRecords(db, importId, [{ sortKey: keyOf(named), body }])
      }),
    )
  }
}

/** Undefined for what is no picture, or too large. */
async function imageOf(file: SourceFile): Promise<Image | undefined> {
  const bytes = await bytesWithin(file, MAX_BYTES_OF_PICTURE)
  if (!bytes) return undefined
  try {
    return await readImage(async () => bytes, { by: { owner: 'imports', isFirst: false } })
  } catch (error) {
    if (error instanceof ImageError) return undefined
    throw error
  }
}
