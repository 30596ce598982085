// The file of a version as a response, by every address that it has.
import { recordDownload } from '../../content/notifications/events.ts'
import type { FileAnswer } from '../../contract/files.ts'
import { factsOf, packingOf } from '../../contract/item-kinds.ts'
import type { StoredContents } from '../../formats/file-content.ts'
import type { Context } from '../../request/handler.ts'
import { outageOf } from '../../runtime/outage.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { contentDisposition } from '../../storage/disposition.ts'
import type { ItemRow, StoredVersion } from '../items/queries.ts'
import { filenameOf } from '../items/rules.ts'
import { findDetails } from '../items/version-queries.ts'
import { noteDownloader } from '../outcomes/downloaded.ts'

/** Counts downloads in the background. */
export interface DownloadCounter {
  downloads: {
    count(context: Context, item: ItemRow, version: Pick<StoredVersion, 'version' | 'sha256'>): void
  }
}

/** A version whose file is asked for; with `redirect` it may be at the store. */
type ArtifactRequest = Pick<StoredVersion, 'version' | 'sha256' | 'size'> & { redirect?: 'follow' | undefined }

/** The artifact of a version of an item that the caller sees. The download is noted and counted. */
export async function artifactAnswer(
  context: Context & DownloadCounter,
  item: ItemRow,
  { version, sha256, size, redirect }: ArtifactRequest,
): Promise<FileAnswer> {
  await noteDownload(context, item)
  await noteDownloader(context, item, { version, sha256 })
  context.downloads.count(context, item, { version, sha256 })
  const { artifacts } = context.blobs
  const path = await artifacts.path(sha256)
  const open = async (range?: { start: number; end: number }) => {
    const stream = await artifacts.read(sha256, range)
    if (!stream) throw new Error(`Artifact ${sha256} of item ${item.id} is missing`)
    return stream
  }
  const meta = await metaOf(context, item, version)
  const { contentType } = packingOf(item.kind, meta)
  const filename = filenameOf({ kind: item.kind, slug: item.slug, meta }, version)
  return {
    contentType,
    elsewhere: redirect && (await artifacts.address(sha256, { contentType, filename })),
    size,
    tag: sha256,
    headers: {
      'Content-Disposition': contentDisposition('attachment', filename),
      'X-Content-SHA256': sha256,
      'X-Library-Version': version,
    },
    source: path === undefined ? { open } : { path },
  }
}

/** That of the item; where each version can be packed in another way, with the packing of the version. */
async function metaOf({ db }: Context, item: ItemRow, version: string): Promise<Record<string, unknown>> {
  const meta = parseJson<Record<string, unknown>>(item.meta)
  const details = factsOf(item.kind).otherPacking && (await findDetails(db, { id: item.id, version }))
  return details ? { ...meta, packing: parseJson<StoredContents>(details.contents).packing } : meta
}

/** An account that downloads an item gets notifications of new versions. A download does not wait for a disk that refuses writes. */
async function noteDownload({ db, caller, now }: Context, item: ItemRow): Promise<void> {
  if (!caller || item.gallery || item.ownerId === caller.id || item.visibility === 'private') return
  await recordDownload(db, { by: caller.id, now, on: { type: 'item', id: item.id } }).catch((error: unknown) => {
    if (!outageOf(error)) throw error
  })
}
