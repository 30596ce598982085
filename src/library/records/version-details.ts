// What each version of an item says: README, contents and `meta`. It is kept when the version is published; a version from before that is
// read from its file when it is first asked for, and kept then.
import type { VersionDetailsTable } from '../../database/schema.ts'
import type { FileContent, StoredContents } from '../../formats/file-content.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { withArtifactFile } from '../../storage/blobs.ts'
import type { Kind } from '../items/item-contract.ts'
import { wholeMeta } from '../items/meta-summary.ts'
import type { ItemRow, VersionFile } from '../items/queries.ts'
import { filenameOf } from '../items/rules.ts'
import { findDetails, insertDetails } from '../items/version-queries.ts'
import type { ReadContext } from './record.ts'

/** The row that keeps what a file says; a file that is no package is itself its only file. */
export function detailsRow(
  item: Pick<ItemRow, 'id' | 'kind' | 'slug'>,
  { version, size }: Pick<VersionFile, 'version' | 'size'>,
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

/** Reads the file of a version that is stored; throws what is wrong with it, and BlobError. */
export const readStored = (
  { blobs, readFile }: Pick<ReadContext, 'blobs' | 'readFile'>,
  { kind, sha256, size, by }: Pick<VersionFile, 'sha256' | 'size'> & { kind: Kind; by: string },
): Promise<FileContent> =>
  withArtifactFile(blobs, { sha256, size }, (path) =>
    readFile(kind, { path, size, sha256, filename: '', mimeType: '' }, by),
  )

/** Gives what a version of an item says. Throws `unavailable` and BlobError when its file has to be read and cannot be. */
export async function detailsOfVersion(
  { db, blobs, caller, readFile }: Pick<ReadContext, 'db' | 'blobs' | 'caller' | 'readFile'>,
  item: ItemRow,
  version: VersionFile,
): Promise<{ readme: string | null; contents: StoredContents }> {
  const kept = await findDetails(db, { id: item.id, version: version.version })
  const { readme, contents } = kept ?? (await keep())
  return { readme, contents: parseJson<StoredContents>(contents) }

  async function keep(): Promise<VersionDetailsTable> {
    const content = await readStored(
      { blobs, readFile },
      { ...version, kind: item.kind, by: caller?.id ?? 'anonymous' },
    )
    const details = detailsRow(item, version, content)
    await insertDetails(db, details)
    return details
  }
}
