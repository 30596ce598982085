// What each version of an item says: README, contents and `meta`. It is kept when the version is published; a version from before that is
// read from its file when it is first asked for, and kept then.
import type { VersionDetailsTable } from '../database/schema.ts'
import type { Context } from '../request/handler.ts'
import { parseJson } from '../runtime/untyped.ts'
import { withArtifactFile } from '../storage/local-artifact.ts'
import { wholeMeta } from './meta-summary.ts'
import type { readFileOf } from './publishing/file.ts'
import type { FileContent, StoredContents } from './publishing/file-content.ts'
import type { ItemRow, StoredVersion } from './queries.ts'
import { filenameOf } from './rules.ts'
import { findDetails, insertDetails } from './version-queries.ts'

type Version = Pick<StoredVersion, 'version' | 'sha256' | 'size'>

/** The row that keeps what a file says; a file that is no package is itself its only file. */
export function detailsRow(
  item: Pick<ItemRow, 'id' | 'kind' | 'slug'>,
  { version, size }: Pick<Version, 'version' | 'size'>,
  { readme, meta, contents, stepNames }: FileContent,
): VersionDetailsTable {
  const files = () => [{ path: filenameOf({ ...item, meta }, version), size }]
  return {
    ...{ itemId: item.id, version, readme, meta: wholeMeta(meta) },
    contents: JSON.stringify(
      contents ?? ({ files: files(), permissions: null, ...(stepNames && { stepNames }) } satisfies StoredContents),
    ),
  }
}

/** Gives what a version of an item says. Throws `unavailable` and BlobError when its file has to be read and cannot be. */
export async function detailsOfVersion(
  { db, blobs, caller, readFile }: Pick<Context, 'db' | 'blobs' | 'caller'> & { readFile: typeof readFileOf },
  item: ItemRow,
  version: Version,
): Promise<{ readme: string | null; contents: StoredContents }> {
  const kept = await findDetails(db, { id: item.id, version: version.version })
  const { readme, contents } = kept ?? (await keep())
  return { readme, contents: parseJson<StoredContents>(contents) }

  async function keep(): Promise<VersionDetailsTable> {
    const { sha256, size } = version
    const by = caller?.id ?? 'anonymous'
    const content = await withArtifactFile(blobs, version, (path) =>
      readFile(item.kind, { path, size, sha256, filename: '', mimeType: '' }, by),
    )
    const details = detailsRow(item, version, content)
    await insertDetails(db, details)
    return details
  }
}
