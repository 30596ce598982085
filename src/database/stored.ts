// Which columns name stored objects: an object without a row is removed by the sweep. They also specify the expected bytes.
import { sql } from 'kysely'
import { keysOf } from '../contract/records.ts'
import type { Db } from './schema.ts'

interface NameColumn {
  table: string
  column: string
  /** The column of the SHA-256 of the bytes, in hex. */
  hash: string
  /** The column of their number. */
  size?: string
  /** Rows in which this column is null name no object. */
  onlyWith?: string
}

/** Folders of objects, and the column that holds the last part of their keys. */
const columnOf = {
  'org-images': { table: 'orgImage', column: 'id', hash: 'sha256', size: 'size' },
  'text-images': { table: 'textImage', column: 'id', hash: 'sha256', size: 'size' },
  'pending-files': { table: 'pendingFile', column: 'id', hash: 'sha256', size: 'size' },
  'org-runs': { table: 'orgRunFile', column: 'id', hash: 'sha256', size: 'sizeBytes' },
  avatars: { table: 'user', column: 'id', hash: 'avatarSha256', onlyWith: 'avatarUpdatedAt' },
} as const satisfies Record<string, NameColumn>

export type Folder = keyof typeof columnOf

export const objectFolders = keysOf(columnOf)

/** Tables that name artifacts by their column `sha256`. */
export const artifactTables = ['itemVersion', 'orgUpload', 'dataExport'] as const

const artifactsIn = artifactTables.map((table) => `select 1 from "${table}" where sha256 = ?1`)

/** A file that a row names, under the key of the object, or `artifacts/` and a hash. */
export interface FileOfRow {
  name: string
  /** null for an object from before there were hashes. */
  sha256: string | null
  size: number | null
}

/** The file that a row of any table names; undefined where it names none. */
export function fileOfRow(table: string, row: Readonly<Record<string, unknown>>): FileOfRow | undefined {
  if (artifactTables.some((one) => one === table)) {
    const { sha256, size } = row
    if (typeof sha256 !== 'string') return undefined
    return { name: `artifacts/${sha256}`, sha256, size: typeof size === 'number' ? size : null }
  }
  for (const [folder, naming] of Object.entries<NameColumn>(columnOf)) {
    if (naming.table !== table || row[naming.onlyWith ?? naming.column] === null) continue
    const [sha256, size] = [row[naming.hash], row[naming.size ?? '']]
    return {
      name: `${folder}/${row[naming.column]}`,
      sha256: typeof sha256 === 'string' ? sha256 : null,
      size: typeof size === 'number' ? size : null,
    }
  }
  return undefined
}

/** In SQL, for a program that reads SQLite without this file's `Db`: whether a row names a file, by the folder of the file. */
export const namesFile: Readonly<Record<string, string>> = {
  artifacts: artifactsIn.join(' union all '),
  ...Object.fromEntries(
    Object.entries<NameColumn>(columnOf).map(([folder, { table, column, onlyWith }]) => [
      folder,
      `select 1 from "${table}" where "${column}" = ?1 and "${onlyWith ?? column}" is not null`,
    ]),
  ),
}

const conditionOf = ({ onlyWith }: NameColumn) => (onlyWith ? sql`and ${sql.ref(onlyWith)} is not null` : sql``)

/** The names that occur in a row of the folder's column. */
export async function findNamed(db: Db, folder: Folder, names: readonly string[]): Promise<ReadonlySet<string>> {
  const naming: NameColumn = columnOf[folder]
  const { table, column } = naming
  const { rows } = await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join(names)}) ${conditionOf(naming)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** An object as its row describes it; the hash is null for one from before there were hashes. */
export interface ObjectRow {
  name: string
  sha256: string | null
  size: number | null
}

/** The rows of a folder, ordered by name, after one of them. */
export async function listDescribed(
  db: Db,
  folder: Folder,
  { after, limit }: { after: string; limit: number },
): Promise<ObjectRow[]> {
  const naming: NameColumn = columnOf[folder]
  const { table, column, hash, size } = naming
  const { rows } = await sql<ObjectRow>`select ${sql.ref(column)} as name, ${sql.ref(hash)} as sha256,
    ${size ? sql.ref(size) : sql`null`} as size from ${sql.table(table)}
    where ${sql.ref(column)} > ${after} ${conditionOf(naming)} order by ${sql.ref(column)} limit ${limit}`.execute(db)
  return rows
}

/** The current row of an object; undefined when it no longer exists. */
export async function findDescribed(db: Db, folder: Folder, name: string): Promise<ObjectRow | undefined> {
  const naming: NameColumn = columnOf[folder]
  const { table, column, hash, size } = naming
  const { rows } = await sql<ObjectRow>`select ${sql.ref(column)} as name, ${sql.ref(hash)} as sha256,
    ${size ? sql.ref(size) : sql`null`} as size from ${sql.table(table)}
    where ${sql.ref(column)} = ${name} ${conditionOf(naming)}`.execute(db)
  return rows[0]
}

/** Gives an object from before there were hashes the hash of its bytes as they are now. */
export async function describe(
  db: Db,
  folder: Folder,
  { name, sha256 }: { name: string; sha256: string },
): Promise<void> {
  const { table, column, hash }: NameColumn = columnOf[folder]
  await sql`update ${sql.table(table)} set ${sql.ref(hash)} = ${sha256}
    where ${sql.ref(column)} = ${name} and ${sql.ref(hash)} is null`.execute(db)
}
