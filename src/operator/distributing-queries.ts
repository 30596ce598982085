// What `distribute` asks of a coordinator of Citus, over one connection.
import type { Client } from 'pg'
import { distributableTables, findDistributed, SHARD_KEYS } from '../database/distributed.ts'
import { required } from '../runtime/untyped.ts'
import { within } from './postgres-rows.ts'

type Name = keyof typeof SHARD_KEYS

/** How a table came to be distributed. */
export interface DistributedTable {
  table: Name
  by: string
  rows: number
  shards: number
  milliseconds: number
  /** It was distributed before. */
  already: boolean
}

/** How many nodes may hold shards. */
export async function countNodes(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from pg_dist_node where isactive and shouldhaveshards',
  )
  return Number(required(rows[0]).count)
}

/** What they do, processes that write do where they are gone: database/postgres-driver.ts, content/notifications/removing-queries.ts. */
const OWN_TRIGGERS = ['changed', 'event_recipients']

/** Triggers that are not those of Guildhall, such as those of a move that has begun. */
export async function listOtherTriggers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tgrelid::regclass || '.' || tgname as name from pg_trigger where not tgisinternal and tgname <> all($2)
      and tgrelid = any($1::regclass[])`,
    [Object.keys(SHARD_KEYS), OWN_TRIGGERS],
  )
  return rows.map(({ name }) => name)
}

/**
 * Distributes a table, in one transaction: what tells of its changes and its references go, the rows are copied to the shards. Writes to it wait
 * until then, reads do not. Does nothing where that was done; the rows that were copied go from the coordinator in any case.
 */
async function distributeTable(client: Client, table: Name, shards: number): Promise<DistributedTable> {
  const began = performance.now()
  const already = (await findDistributed(client)).has(table)
  const beside = already ? undefined : await findBeside(client, table)
  if (!already) await within(client, () => placeOnShards(client, table, { shards, beside }))
  const { rows: left } = await client.query<{ bytes: string }>('select pg_relation_size($1::regclass) as bytes', [
    table,
  ])
  if (Number(left[0]?.bytes) > 0) {
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
  }
  await client.query(`analyze "${table}"`)
  const { rows: found } = await client.query<{ rows: string; shards: string }>(
    `select (select count(*) from "${table}") as rows,
      (select count(*) from pg_dist_shard where logicalrelid = $1::regclass) as shards`,
    [table],
  )
  const counted = required(found[0])
  return {
    ...{ table, by: SHARD_KEYS[table], already },
    ...{ rows: Number(counted.rows), shards: Number(counted.shards) },
    milliseconds: Math.round(performance.now() - began),
  }
}

/** Distributes every table that may be, and tells of each before it begins. */
export async function distributeTables(
  client: Client,
  shards: number,
  onTable: (table: string) => void = () => {},
): Promise<DistributedTable[]> {
  await distributeFunctions(client)
  const done: DistributedTable[] = []
  for (const table of distributableTables) {
    onTable(table)
    done.push(await distributeTable(client, table, shards))
  }
  return done
}

/** Functions in statements about these tables, which their shards have to know too. */
const FUNCTIONS = ['"voteId"(text)']

/** Gives the nodes the functions that are there; those that they have stay. */
async function distributeFunctions(client: Client): Promise<void> {
  for (const name of FUNCTIONS) {
    const { rows } = await client.query<{ found: boolean }>('select to_regprocedure($1) is not null as found', [name])
    if (rows[0]?.found) await client.query('select create_distributed_function($1)', [name])
  }
}

/** A table that is distributed by a column of the same type: rows of both about one thing are on one node. */
async function findBeside(client: Client, table: Name): Promise<string | undefined> {
  const types = await Promise.all(
    [...(await findDistributed(client))].map(async (name) => ({ name, type: await typeOfKey(client, name) })),
  )
  const own = await typeOfKey(client, table)
  return types.find(({ type }) => type === own)?.name
}

async function typeOfKey(client: Client, table: string): Promise<string | undefined> {
  const { rows } = await client.query<{ type: string }>(
    'select atttypid::regtype::text as type from pg_attribute where attrelid = $1::regclass and attname = $2',
    [table, SHARD_KEYS[table as Name]],
  )
  return rows[0]?.type
}

async function placeOnShards(
  client: Client,
  table: Name,
  { shards, beside }: { shards: number; beside: string | undefined },
): Promise<void> {
  await client.query(`lock table "${table}" in share row exclusive mode`)
  for (const name of OWN_TRIGGERS) await client.query(`drop trigger if exists "${name}" on "${table}"`)
  const { rows: references } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
    [table],
  )
  for (const { name } of references) await client.query(`alter table "${table}" drop constraint "${name}"`)
  const where = beside === undefined ? `'none', shard_count => ${shards}` : `'"${beside}"'`
  await client.query(`select create_distributed_table($1, $2, colocate_with => ${where})`, [table, SHARD_KEYS[table]])
}
