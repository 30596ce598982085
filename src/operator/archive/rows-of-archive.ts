// What becomes of a row on its way into an archive: the columns that are kept, some with another value, and no row that is a secret.
import { isDeepStrictEqual } from 'node:util'
import { liveNames, type SettingName } from '../../config/settings.ts'
import { isSecret } from '../../settings/live-settings.ts'
import type { Row, Rows, Table, Value } from '../rows.ts'
import type { changedColumns, KeptTable, leftOutRows } from './dispositions.ts'

export type RowRecord = Readonly<Record<string, Value>>

/** What is known of the rest of the database. */
export interface Surroundings {
  /** By account, the bytes of files of writes that wait, which are left out. */
  pendingBytes: ReadonlyMap<string, number>
}

type Changes = (row: RowRecord, surroundings: Surroundings) => Record<string, Value>
type ChangedTable = keyof typeof changedColumns extends `${infer T}.${string}` ? T : never

const REMOVES: ReadonlySet<Value> = new Set(['gone', 'hidden', 'blocked'])
const noMail = () => ({ mail: null, mailAt: null })

/** Of the columns that `changedColumns` names. */
const changes: Readonly<Record<ChangedTable, Changes>> = {
  accountDeletion: () => ({ leasedUntil: '' }),
  event: ({ kind, doneAt, createdAt }) => ({
    doneAt: doneAt ?? (REMOVES.has(kind ?? null) ? null : (createdAt ?? null)),
  }),
  notification: noMail,
  storedBytes: ({ accountId, bytes }, { pendingBytes }) => ({
    bytes: Number(bytes) - (pendingBytes.get(String(accountId)) ?? 0),
  }),
  takenNotification: noMail,
  versionStatement: () => ({ isLogged: 0 }),
}

/** A name that this version does not know may be that of a secret. */
const isPlainSetting = ({ name }: RowRecord) => liveNames.some((one) => one === name) && !isSecret(name as SettingName)

const isKeptRow: Readonly<Record<keyof typeof leftOutRows, (row: RowRecord) => boolean>> = {
  setting: isPlainSetting,
  settingChange: isPlainSetting,
}

/** The row as the archive has it, with its columns in their order; undefined where it is left out. */
export function archived(
  table: { name: KeptTable; columns: readonly string[] },
  row: RowRecord,
  surroundings: Surroundings,
): RowRecord | undefined {
  const { name, columns } = table
  if (name in isKeptRow && !isKeptRow[name as keyof typeof isKeptRow](row)) return undefined
  const whole = name in changes ? { ...row, ...changes[name as ChangedTable](row, surroundings) } : row
  return Object.fromEntries(columns.map((column) => [column, whole[column] ?? null]))
}

/** Whether a row of an archive is one that could have been written to it: what is changed on the way is, and what is left out is not there. */
export function isAsWritten(name: KeptTable, row: RowRecord): boolean {
  const written = archived({ name, columns: Object.keys(row) }, row, { pendingBytes: new Map() })
  return isDeepStrictEqual(written, row)
}

export const recordOf = ({ columns }: Pick<Table, 'columns'>, row: Row): RowRecord =>
  Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))

const ROWS_AT_ONCE = 200

/** Every row of a table, in the order of its key. */
export async function* rowsOf(rows: Rows, table: Table): AsyncGenerator<RowRecord> {
  const places = table.key.map((column) => table.columns.indexOf(column))
  for (let after: Row | undefined; ; ) {
    const page = await rows.page(table, after, ROWS_AT_ONCE)
    for (const row of page) yield recordOf(table, row)
    const last = page.at(-1)
    if (last === undefined || page.length < ROWS_AT_ONCE) return
    after = places.map((place) => last[place] ?? null)
  }
}

export async function surroundingsOf(rows: Rows, tables: readonly Table[]): Promise<Surroundings> {
  const pendingBytes = new Map<string, number>()
  const table = tables.find(({ name }) => name === 'pendingFile')
  if (!table) return { pendingBytes }
  for await (const { userId, size } of rowsOf(rows, table)) {
    const account = String(userId)
    pendingBytes.set(account, (pendingBytes.get(account) ?? 0) + Number(size))
  }
  return { pendingBytes }
}
