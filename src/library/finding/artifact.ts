// The file of a version as a response, by every address that it has.
import { recordDownload } from '../../content/notifications/events.ts'
import type { FileAnswer } from '../../contract/files.ts'
import type { Context } from '../../request/handler.ts'
import { outageOf } from '../../runtime/outage.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { contentDisposition } from '../../storage/disposition.ts'
import type { ItemRow, StoredVersion } from '../queries.ts'
import { contentTypeOf, filenameOf } from '../rules.ts'

/** Counts downloads in the background. */
export interface DownloadCounter {
  downloads: {
    count(context: Context, item: ItemRow, version: Pick<StoredVersion, 'version' | 'sha256'>): void
  }
}

/** The artifact of a version of an item that the caller sees. The download is noted and counted. */
export async function artifactAnswer(
  context: Context & DownloadCounter,
  item: ItemRow,
  { version, sha256, size }: Pick<StoredVersion, 'version' | 'sha256' | 'size'>,
): Promise<FileAnswer> {
  await noteDownload(context, item)
  context.downloads.count(context, item, { version, sha256 })
  const { artifacts } = context.blobs
  const path = await artifacts.path(sha256)
  const open = async (range?: { start: number; end: number }) => {
    const stream = await artifacts.read(sha256, range)
    if (!stream) throw new Error(`Artifact ${sha256} of item ${item.id} is missing`)
    return stream
  }
  const meta = parseJson<Record<string, unknown>>(item.meta)
  return {
    contentType: contentTypeOf(item.kind),
    size,
    tag: sha256,
    headers: {
      'Content-Disposition': contentDisposition(
        'attachment',
        filenameOf({ kind: item.kind, slug: item.slug, meta }, version),
      ),
      'X-Content-SHA256': sha256,
      'X-Library-Version': version,
    },
    source: path === undefined ? { open } : { path },
  }
}

/** An account that downloads an item gets notifications of new versions. A download does not wait for a disk that refuses writes. */
async function noteDownload({ db, caller, now }: Context, item: ItemRow): Promise<void> {
  if (!caller || item.gallery || item.ownerId === caller.id || item.visibility === 'private') return
  await recordDownload(db, { by: caller.id, now, on: { type: 'item', id: item.id } }).catch((error: unknown) => {
    if (!outageOf(error)) throw error
  })
}
