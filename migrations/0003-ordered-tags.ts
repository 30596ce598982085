// Lists of items are read from their indexes alone, however far a page is (docs/decisions/2026-11-30-search-of-lists.md). A row of a tag
// repeats what they are filtered and sorted by: the database keeps it in step, so that no writer forgets it, the release before neither.
// Indexes of items get the kind, by which lists leave out some, and the key by which a search looks up texts.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { type Engine, type Trigger, triggerOf } from './0001-start/room.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const COPIED = ['kind', 'visibility', 'listed', 'score', 'rank', 'updatedAt'] as const
/** What may change; a kind stays. */
const CHANGING = COPIED.filter((name) => name !== 'kind')

const quoted = (names: readonly string[], of = '') => names.map((name) => `${of}"${name}"`).join(', ')

const ofItem = `update "itemTag" set (${quoted(COPIED)}) = (select ${quoted(COPIED)} from "libraryItem" where id = "itemTag"."itemId")`

const triggers: readonly Trigger[] = [
  {
    name: 'itemTag_added',
    when: 'after insert',
    table: 'itemTag',
    // A replica of the rows may come before the item.
    body: `${ofItem} where tag = new.tag and "itemId" = new."itemId"
      and exists (select 1 from "libraryItem" where id = new."itemId");`,
  },
  {
    name: 'itemTag_ordered',
    when: `after update of ${quoted(CHANGING)}`,
    table: 'libraryItem',
    condition: CHANGING.map((name) => `new."${name}" <> old."${name}"`).join(' or '),
    body: `update "itemTag" set ${CHANGING.map((name) => `"${name}" = new."${name}"`).join(', ')} where "itemId" = new.id;`,
  },
]

const columnsOn = (engine: Engine) => {
  const text = engine === 'postgres' ? 'text collate "C"' : 'text'
  return [
    ...['kind', 'visibility', 'updatedAt'].map((name) => `"${name}" ${text} not null default ''`),
    ...['listed', 'score', 'rank'].map((name) => `"${name}" integer not null default 0`),
  ]
}

const ORDERS = { latest: '', popular: '"score", ', best: '"rank", ' }

/** Each ends with what lists of one kind, and of official items, are filtered by. */
const indexes = Object.entries(ORDERS).map(
  ([name, first]) =>
    `create index "itemTag_${name}" on "itemTag" ("tag", ${first}"updatedAt", "itemId", "kind", "visibility") where "listed" = 1`,
)

/** SQLite has the key in every index. */
function indexesOfItems(engine: Engine): string[] {
  const key = engine === 'postgres' ? ' include ("rowId")' : ''
  return Object.entries(ORDERS).flatMap(([order, first]) =>
    [
      { name: `listed_${order}`, begins: '"listed"', where: '' },
      { name: `visibility_${order}`, begins: '"visibility"', where: ' where "listed" = 1' },
    ].flatMap(({ name, begins, where }) => [
      `drop index "libraryItem_${name}"`,
      `create index "libraryItem_${name}" on "libraryItem" (${begins}, ${first}"updatedAt", "id", "kind")${key}${where}`,
    ]),
  )
}

export async function up(db: AnyDb): Promise<void> {
  const engine = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
  const statements = [
    ...columnsOn(engine).map((column) => `alter table "itemTag" add column ${column}`),
    ...triggers.flatMap((trigger) => triggerOf(trigger, engine)),
    `${ofItem} where exists (select 1 from "libraryItem" where id = "itemTag"."itemId")`,
    ...indexes,
    ...indexesOfItems(engine),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
