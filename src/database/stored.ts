// Which columns name stored bytes: what is in no row that is listed here belongs to nobody, and the sweep removes it.
import { sql } from 'kysely'
import type { Db } from './schema.ts'

interface Naming {
  table: string
  column: string
  /** Rows in which this column is null name nothing. */
  onlyWith?: string
}

/** Every column that holds the SHA-256 of an artifact. A test fails for one that is missing here. */
export const artifactNames: readonly Naming[] = [{ table: 'orgUpload', column: 'sha256' }]

/** Folders of named objects, and the column that holds the last part of their keys. */
export const objectNames = {
  'org-images': { table: 'orgImage', column: 'id' },
  'org-runs': { table: 'orgRunFile', column: 'id' },
  avatars: { table: 'user', column: 'id', onlyWith: 'avatarUpdatedAt' },
} as const satisfies Record<string, Naming>

/** Those of the names that a row of one of the columns has. */
export async function findNamed(
  db: Db,
  columns: readonly Naming[],
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  if (names.length === 0) return found
  for (const { table, column, onlyWith } of columns) {
    const condition = onlyWith ? sql`and ${sql.ref(onlyWith)} is not null` : sql``
    const { rows } = await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join(names)}) ${condition}`.execute(db)
    for (const { name } of rows) found.add(name)
  }
  return found
}
