// What versions may do, as it is kept, and the version before another.
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, VersionPermissionsTable } from '../../database/schema.ts'
import type { VersionFile } from '../items/queries.ts'

const permissionsOfVersion = prepared((db, given: Bind<{ itemId: string; version: string }>) =>
  db
    .selectFrom('versionPermissions')
    .select(['revision', 'permissions'])
    .where('itemId', '=', given('itemId'))
    .where('version', '=', given('version')),
)

export async function findPermissions(
  db: Db,
  version: { itemId: string; version: string },
): Promise<Pick<VersionPermissionsTable, 'revision' | 'permissions'> | undefined> {
  const { rows } = await permissionsOfVersion(db, version)
  return rows[0]
}

/** Keeps what a version may do, in place of what older rules found. */
export async function upsertPermissions(db: Db, row: VersionPermissionsTable): Promise<void> {
  const { revision, permissions } = row
  await db
    .insertInto('versionPermissions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['itemId', 'version']).doUpdateSet({ revision, permissions }))
    .execute()
}

const before = prepared((db, given: Bind<{ itemId: string; precedence: string }>) =>
  db
    .selectFrom('itemVersion as version')
    .select(['version.version', 'version.sha256', 'version.size'])
    .where('version.itemId', '=', given('itemId'))
    .where('version.yankedAt', 'is', null)
    .where('version.number', '<', (row) =>
      row
        .selectFrom('itemVersion as later')
        .select('later.number')
        .where('later.itemId', '=', given('itemId'))
        .where('later.precedence', '=', given('precedence')),
    )
    .orderBy('version.number', 'desc')
    .limit(1),
)

/** The newest version before another that is not yanked. */
export async function findVersionBefore(
  db: Db,
  version: { itemId: string; precedence: string },
): Promise<VersionFile | undefined> {
  const { rows } = await before(db, version)
  return rows[0]
}
