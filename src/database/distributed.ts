// Tables that may be distributed over the nodes of a Citus cluster (`npm run admin -- distribute`), each by the column that says what its
// rows are about, or whose they are. Citus allows no triggers on them: so the process that writes to one says so itself (postgres-driver.ts), whether it is
// distributed or not, and needs not know which. That of a table which is not distributed tells the same, once.
import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import { engineOf } from './engine.ts'
import type { Db } from './schema.ts'

/** The column by whose value a row finds its shard. */
export const SHARD_KEYS = {
  vote: 'targetId',
  follow: 'targetId',
  reaction: 'commentId',
  notification: 'userId',
} as const

export type DistributableTable = keyof typeof SHARD_KEYS

export const distributableTables = Object.keys(SHARD_KEYS) as readonly DistributableTable[]

const WRITES = new RegExp(`\\b(?:insert into|update|delete from) "?(${distributableTables.join('|')})"?(?![\\w"])`, 'g')

/** Those of them that a statement writes to. */
export const distributableIn = (sql: string): string[] => Array.from(sql.matchAll(WRITES), ([, table = '']) => table)

const HAS_CITUS = `select to_regclass('pg_catalog.pg_dist_partition') is not null as found`
const DISTRIBUTED = `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
  where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace`

/** Whether the database has Citus. */
export async function hasCitus(client: ClientBase): Promise<boolean> {
  return (await client.query<{ found: boolean }>(HAS_CITUS)).rows[0]?.found ?? false
}

/** The tables that are distributed; none where there is no Citus. */
export async function findDistributed(client: ClientBase): Promise<Set<string>> {
  if (!(await hasCitus(client))) return new Set()
  return new Set((await client.query<{ name: string }>(DISTRIBUTED)).rows.map(({ name }) => name))
}

/** The same for commands. */
export async function listDistributed(db: Db): Promise<Set<string>> {
  if (engineOf(db) !== 'postgres') return new Set()
  const { rows: has } = await sql.raw<{ found: boolean }>(HAS_CITUS).execute(db)
  if (!has[0]?.found) return new Set()
  return new Set((await sql.raw<{ name: string }>(DISTRIBUTED).execute(db)).rows.map(({ name }) => name))
}

/** Keys of a table that is distributed, by the number of the node that has their rows. */
export async function groupByNode(
  db: Db,
  table: DistributableTable,
  keys: readonly string[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ key: string; node: number }>`select given.key, min(p.groupid) as node
    from json_array_elements_text(${JSON.stringify(keys)}::json) as given(key)
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${sql.lit(table)}, given.key)
    group by given.key`.execute(db)
  const byNode = Map.groupBy(rows, ({ node }) => node)
  return new Map([...byNode].map(([node, found]) => [node, found.map(({ key }) => key)]))
}
