// Reads the rows of an archive, which may be hostile: each has the columns of its table, with values of their kind and of those that the
// data model lists, and no name in it leads out of a folder.
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { jsonIn } from '../../runtime/json.ts'
import type { Value } from '../rows.ts'
import { columnsOf, type KeptTable, keptTables } from './dispositions.ts'
import type { RowRecord } from './rows-of-archive.ts'
import { ArchiveError } from './sealing.ts'
import { mayBe } from './values.ts'

// The columns of an archive that hold JSON, and the shape that what reads them takes for granted. test/archive-declared.test.ts compares them with
// the data model, which says of each such column that it is JSON.

const object = z.record(z.string(), z.unknown())
const list = z.array(z.unknown())
const texts = z.array(z.string())
/** Roles of a chart, and the edges between them. */
const chart = z.looseObject({ roles: z.array(object), edges: z.array(object).optional() })
/** A vote is a number in the same column. */
const any = z.union([object, z.int()])

export const jsonColumns = {
  'board.labels': texts,
  'board.statuses': object,
  'event.detail': object,
  'event.mentioned': texts,
  'formDraft.fields': list,
  'import.cursor': object,
  'import.done': object,
  'import.options': object,
  'import.report': object,
  'importRecord.body': object,
  'libraryItem.meta': object,
  'libraryItem.tags': texts,
  'mergedPart.value': any,
  'mergedThing.labels': texts,
  'mergedThing.record': object,
  'nameDomain.publicKeys': texts,
  'orgPage.chart': chart,
  'profile.tags': texts,
  'release.pending': list,
  'revision.changes': z.record(z.string(), list),
  'scimGroup.gives': object,
  'scimUser.attributes': object,
  'scimUser.givenBoards': texts,
  'scimUser.ownBoards': texts,
  'suggestion.input': object,
  'user.externalGroups': object,
  'versionCloses.pending': list,
  'versionDetails.contents': object,
  'versionDetails.meta': object,
  'versionOutcomes.errors': list,
  'versionPermissions.permissions': list,
  'versionScan.findings': list,
  'versionScan.warnings': list,
  'versionStatement.payload': object,
} as const satisfies Readonly<Record<string, z.ZodType>>

const shapes: Readonly<Record<string, z.ZodType>> = jsonColumns

/** Whether a column may have a text: any, unless it holds JSON. */
const isReadable = (column: string, value: string | number): boolean =>
  !Object.hasOwn(shapes, column) || shapes[column]?.safeParse(jsonIn(String(value))).success === true

interface Column {
  name: string
  isNumber: boolean
  mayBeNull: boolean
}

export type Shapes = ReadonlyMap<KeptTable, readonly Column[]>

/** The kinds of values of all columns, as a database of SQLite declares them. */
export function shapesOf(path: string): Shapes {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return new Map(keptTables.map((table) => [table, columnsIn(db, table)]))
  } finally {
    db.close()
  }
}

function columnsIn(db: DatabaseSync, table: KeptTable): Column[] {
  const declared = new Map(
    db
      .prepare('select name, type, "notnull", pk from pragma_table_info(?)')
      .all(table)
      .map(({ name, type, notnull, pk }) => [
        String(name),
        { type: String(type), isNeeded: notnull === 1 || pk !== 0 },
      ]),
  )
  return columnsOf(table).map((name) => {
    const column = declared.get(name)
    if (!column) throw new Error(`the database has no column ${table}.${name}`)
    return { name, isNumber: /int|real|num/i.test(column.type), mayBeNull: !column.isNeeded }
  })
}

/** A slug of an item may have dots inside; that of anything else has none. */
const SLUG = /^[a-z0-9][a-z0-9._-]*$/
/** A name without a folder. */
const isPlainName = (name: string) => !/[/\\\p{Cc}]/u.test(name) && name !== '.' && name !== '..'

/** Texts that become parts of paths and addresses. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  'board.slug': (text) => SLUG.test(text),
  'goneVersion.slug': (text) => SLUG.test(text),
  'keptSlug.slug': (text) => SLUG.test(text),
  'libraryItem.slug': (text) => SLUG.test(text),
  'orgRunFile.filename': isPlainName,
  'orgUpload.slug': (text) => SLUG.test(text),
  'slug.slug': (text) => SLUG.test(text),
  'team.slug': (text) => SLUG.test(text),
}

/** The row that a line has. Throws an ArchiveError that names what is wrong with it. */
export function readRow(table: KeptTable, columns: readonly Column[], line: string): RowRecord {
  const row = jsonIn(line)
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new ArchiveError(`a row of ${table} is no object`)
  const given = row as Record<string, unknown>
  const unknown = Object.keys(given).find((name) => !columns.some((column) => column.name === name))
  if (unknown !== undefined)
    throw new ArchiveError(`${table} has no column ${JSON.stringify(unknown.slice(0, 60))} in an archive`)
  return Object.fromEntries(columns.map((column) => [column.name, readValue(table, column, given[column.name])]))
}

function readValue(table: KeptTable, { name, isNumber, mayBeNull }: Column, value: unknown): Value {
  const column = `${table}.${name}`
  if (value === null && mayBeNull) return null
  if (isNumber ? !Number.isSafeInteger(value) : !isText(value))
    throw new ArchiveError(`a row of the archive has a value of the wrong kind in ${column}`)
  const known = value as string | number
  const isRight = mayBe(column, known) && (forms[column]?.(String(known)) ?? true)
  if (!isRight)
    throw new ArchiveError(`a row of the archive has a value in ${column} that there is not: ${shown(known)}`)
  if (!isReadable(column, known))
    throw new ArchiveError(`a row of the archive has no JSON that can be read in ${column}: ${shown(known)}`)
  return known
}

/** PostgreSQL stores no other texts. */
const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')

const shown = (value: string | number) => JSON.stringify(String(value).slice(0, 60))
