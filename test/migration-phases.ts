// The rule of upgrades without a stop: the release before runs beside this one, on the schema of this one. So a migration expands: it adds
// what the release before does not miss. One that takes something away is marked (`export const contract`), and only takes away what the
// release before no longer names.
import type { KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Db } from '../src/database/schema.ts'

/** What a contracting migration removes: a table, or a column of one. */
export interface Removed {
  table: string
  column?: string
}

export interface Phased extends Migration {
  contract?: readonly Removed[]
}

/** The statements that a migration runs, as they are compiled for the engine of `db`. */
export async function statementsOf({ up }: Migration, db: Db): Promise<string[]> {
  const statements: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await db.transaction().execute((transaction) => up(transaction.withPlugin(plugin)))
  // A migration of many statements in one text is many statements.
  return statements.flatMap(apart)
}

/** Statements of one text; a semicolon within `begin ... end` or `$$ ... $$` ends none. */
const apart = (text: string): string[] =>
  /\bbegin\b|\$\$/i.test(text)
    ? [text]
    : text
        .split(';')
        .map((part) => part.trim())
        .filter(Boolean)

const NAME = String.raw`(?:"?public"?\.)?"?(\w+)"?`
const CREATED = new RegExp(`^create table (?:if not exists )?${NAME}`, 'i')
const DROPPED = new RegExp(`^drop table (?:if exists )?${NAME}`, 'i')
const ALTERED = new RegExp(`^alter table (?:if exists )?(?:only )?${NAME} (.*)`, 'is')

/** What of these statements the release before would stumble over: nothing, for a migration that expands or that only removes `contract`. */
export function complaintsAbout(statements: readonly string[], contract: readonly Removed[] = []): string[] {
  const made = new Set(statements.flatMap((statement) => statement.match(CREATED)?.[1] ?? []))
  // SQLite changes a table by making another one that takes its name.
  const renamed = new Map(
    statements.flatMap((statement) => {
      const [, from, to] = statement.match(new RegExp(`^alter table ${NAME} rename to ${NAME}`, 'i')) ?? []
      return from && to && made.has(from) ? [[to, from] as const] : []
    }),
  )
  const isRemoved = (table: string, column?: string) =>
    contract.some((removed) => removed.table === table && removed.column === column)
  return statements.flatMap((statement) => {
    const dropped = statement.match(DROPPED)?.[1]
    if (dropped !== undefined && !made.has(dropped) && !renamed.has(dropped) && !isRemoved(dropped)) {
      return [`drops the table ${dropped}`]
    }
    const [, table = '', change = ''] = statement.match(ALTERED) ?? []
    if (table === '' || made.has(table)) return []
    return change
      .split(/,\s*(?=(?:add|drop|alter|rename)\b)/i)
      .flatMap((part) => complaintAbout(part, table, isRemoved))
  })
}

function complaintAbout(
  change: string,
  table: string,
  isRemoved: (table: string, column?: string) => boolean,
): string[] {
  const column = (pattern: string) => change.match(new RegExp(`^${pattern}${NAME}`, 'i'))?.[1]
  const dropped = /^drop constraint\b/i.test(change) ? undefined : column('drop (?:column )?(?:if exists )?')
  if (dropped !== undefined && !isRemoved(table, dropped)) return [`drops ${table}.${dropped}`]
  if (/^rename\b/i.test(change)) return [`renames ${table} or a column of it`]
  const added = column('add (?:column )?(?:if not exists )?')
  if (added !== undefined && /\bnot null\b/i.test(change) && !/\bdefault\b|\bgenerated\b/i.test(change)) {
    return [`adds ${table}.${added}, which must be given and has no default`]
  }
  const altered = column('alter (?:column )?')
  if (altered !== undefined && /\bset not null\b|\b(?:set data )?type\b|\bdrop default\b/i.test(change)) {
    return [`changes ${table}.${altered} to what the release before does not write`]
  }
  return []
}

/** Whether a release, by the text of its data model (src/database/schema*.ts), knows a table or a column of it. */
export function isKnown(schema: string, { table, column }: Removed): boolean {
  const type = schema.match(new RegExp(`^  ${table}: (\\w+)$`, 'm'))?.[1]
  if (type === undefined) return false
  return column === undefined || new RegExp(`^  ${column}\\??: `, 'm').test(bodyOf(schema, type))
}

/** The lines of an interface, with those of what it extends. */
function bodyOf(schema: string, type: string): string {
  const [, base, body = ''] =
    schema.match(new RegExp(`interface ${type}(?: extends (\\w+))? \\{\\n([\\s\\S]*?)^\\}`, 'm')) ?? []
  return base === undefined ? body : body + bodyOf(schema, base)
}
