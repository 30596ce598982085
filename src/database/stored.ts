// Which columns name stored objects: what is in no row of them belongs to nobody, and the sweep removes it.
import { sql } from 'kysely'
import type { Db } from './schema.ts'

interface Naming {
  table: string
  column: string
  /** Rows in which this column is null name nothing. */
  onlyWith?: string
}

/** Folders of objects, and the column that holds the last part of their keys. */
const columnOf = {
  'org-images': { table: 'orgImage', column: 'id' },
  'org-runs': { table: 'orgRunFile', column: 'id' },
  avatars: { table: 'user', column: 'id', onlyWith: 'avatarUpdatedAt' },
} as const satisfies Record<string, Naming>

type Folder = keyof typeof columnOf

export const objectFolders = Object.keys(columnOf) as Folder[]

/** Those of the names that a row of the folder's column has. */
export async function findNamed(db: Db, folder: Folder, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { table, column, onlyWith }: Naming = columnOf[folder]
  const condition = onlyWith ? sql`and ${sql.ref(onlyWith)} is not null` : sql``
  const { rows } = await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join(names)}) ${condition}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
