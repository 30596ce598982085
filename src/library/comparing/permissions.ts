// What each version may do. It is kept when the version is published; that of an earlier version, and of one that was read by older
// rules, is read from its file when it is first asked for.
import { readFile } from 'node:fs/promises'
import { factsOf } from '../../contract/item-kinds.ts'
import { readPermissions } from '../../formats/kinds/reading.ts'
import { anything } from '../../formats/permission-set.ts'
import { comparePermissions, PERMISSIONS_REVISION, type Permission } from '../../formats/permissions.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Context } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { withArtifactFile } from '../../storage/blobs.ts'
import { GivenUp, inThread, jobOf, type Worker } from '../../workers/workers.ts'
import type { Step } from '../changing/step.ts'
import type { Kind } from '../items/item-contract.ts'
import type { ItemRow, VersionFile } from '../items/queries.ts'
import { findPermissions, findVersionBefore, upsertPermissions } from './queries.ts'

const MAX_MILLISECONDS = 15_000
/** A larger file, an archive, and a workflow that carries archives are read in a thread. */
const MAX_BYTES_AT_ONCE = 64 * 1024

const job = jobOf<typeof readPermissions>(
  import.meta.resolve('../../formats/kinds/reading.ts'),
  'readPermissions',
  MAX_MILLISECONDS,
)

type Reader = Pick<Context, 'db' | 'blobs' | 'worker'>

/** What a valid file may do; one that cannot be read in time may do anything. */
async function permissionsOfFile({ kind, path, size }: { kind: Kind; path: string; size: number }, by: Worker) {
  const { archive, carriesPackages } = factsOf(kind)
  if (!archive && size <= MAX_BYTES_AT_ONCE) {
    const text = carriesPackages ? await readFile(path, 'utf8') : ''
    if (!/"mpkg"\s*:\s*"[^"]/.test(text)) return readPermissions({ kind, path })
  }
  return inThread(job, { kind, path }, by).catch((error: unknown) => {
    if (error instanceof GivenUp) return [...anything]
    throw error
  })
}

const rowOf = (itemId: string, version: string, permissions: readonly Permission[]) => ({
  ...{ itemId, version },
  revision: PERMISSIONS_REVISION,
  permissions: JSON.stringify(permissions),
})

/** The step of a publication that keeps what the version may do. */
export const keepPermissions: Step = async (context, { kind, file: { path, size } }) => {
  const permissions = await permissionsOfFile({ kind, path, size }, context.worker())
  return (db, { item, version }) => upsertPermissions(db, rowOf(item.id, version, permissions))
}

/** What a version of an item may do. Throws `unavailable` and BlobError when its file has to be read and cannot be. */
export async function permissionsOfVersion(context: Reader, item: ItemRow, file: VersionFile): Promise<Permission[]> {
  const { db, blobs } = context
  const { version, size } = file
  const kept = await findPermissions(db, { itemId: item.id, version })
  if (kept?.revision === PERMISSIONS_REVISION) return parseJson<Permission[]>(kept.permissions)
  const permissions = await withArtifactFile(blobs, file, (path) =>
    permissionsOfFile({ kind: item.kind, path, size }, context.worker()),
  )
  await upsertPermissions(db, rowOf(item.id, version, permissions))
  return permissions
}

/** What a version may do, and what of that the version before it may not. */
export async function newPermissionsOf(context: Reader, item: ItemRow, version: VersionFile) {
  const may_do = await permissionsOfVersion(context, item, version)
  const precedence = precedenceOf(version.version)
  const before = await findVersionBefore(context.db, { itemId: item.id, precedence })
  if (!before) return { may_do, may_do_more: null }
  const { added } = comparePermissions(await permissionsOfVersion(context, item, before), may_do)
  return { may_do, may_do_more: added.length > 0 ? { than: before.version, permissions: added } : null }
}
