// The tables of PostgreSQL, which of them tell of their changes, and which ones a statement names.

/** Every table, and the events that its trigger notifies, as bits of `pg_trigger.tgtype`. */
export const TABLES = `select c.relname as name, coalesce(bit_or(t.tgtype::int), 0) as events
  from pg_class c left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'changed'
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace group by c.relname`

/** Insertions (4), deletions (8), updates (16) and truncations (32). */
const EVERY_CHANGE = 4 | 8 | 16 | 32

export class WatchedTables {
  /** By name: 'wholly' if every change is notified, 'partly' if new rows are not (migrations/0001-start/watching.ts). */
  #kinds: ReadonlyMap<string, 'wholly' | 'partly' | 'never'> = new Map()
  readonly #named = new Map<string, ReadonlySet<string>>()

  /** Takes the result of TABLES, and the tables that are distributed: of these, the processes that write to them tell (distributed.ts). */
  set(rows: readonly { name: string; events: number }[], distributed: ReadonlySet<string>): void {
    const kindOf = (events: number) => ((events & EVERY_CHANGE) === EVERY_CHANGE ? 'wholly' : 'partly')
    const unlessNever = (name: string, events: number) =>
      distributed.has(name) ? 'wholly' : events === 0 ? 'never' : kindOf(events)
    this.#kinds = new Map(rows.map(({ name, events }) => [name, unlessNever(name, events)]))
    this.#named.clear()
  }

  /** The tables that a statement names: those in a text or a column name as well, which does no harm. */
  namedIn(sql: string): ReadonlySet<string> {
    let tables = this.#named.get(sql)
    if (!tables) {
      tables = new Set((sql.match(/\w+/g) ?? []).filter((word) => this.#kinds.has(word)))
      if (this.#kinds.size > 0) this.#named.set(sql, tables)
    }
    return tables
  }

  /** Whether changes of a table are notified; those of `partly` watched ones leave out new rows. */
  isWatched(table: string): boolean {
    return (this.#kinds.get(table) ?? 'never') !== 'never'
  }

  /** Whether there are tables in the set, and every change of them is notified. */
  areWhollyWatched(tables: ReadonlySet<string>): boolean {
    return tables.size > 0 && [...tables].every((table) => this.#kinds.get(table) === 'wholly')
  }

  /** Whether a set has a table of credentials: their new rows are not notified. */
  hasCredentials(tables: ReadonlySet<string>): boolean {
    return [...tables].some((table) => this.#kinds.get(table) === 'partly')
  }
}
