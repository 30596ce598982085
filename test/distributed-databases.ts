// Databases on a Citus cluster whose tables are distributed, for TEST_POSTGRES_URL at a coordinator and TEST_DISTRIBUTED=1. No database of a cluster
// is a template: each is made on every node, migrated and distributed.
import pg from 'pg'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { distributeTables } from '../src/operator/distributing-queries.ts'
import { required } from '../src/runtime/untyped.ts'

export const IS_DISTRIBUTED: boolean = process.env['TEST_DISTRIBUTED'] === '1'

/** Few shards, so that a statement that asks all of them shows and is still quick. */
const SHARDS = 8

interface Node {
  host: string
  port: number
  isCoordinator: boolean
}

const at = (url: string, { host, port }: Node, database: string) => {
  const address = new URL(url)
  address.hostname = host
  address.port = String(port)
  address.pathname = `/${database}`
  return address.href
}

async function on<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The nodes of the cluster whose coordinator has the database of `url`. */
export const nodesOf = (url: string): Promise<Node[]> =>
  on(url, async (client) => {
    const { rows } = await client.query<Node>(
      `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid`,
    )
    return rows
  })

/** Makes an empty database on the nodes of a cluster, instead of one of this name; gives its address. `url` is that of another one there. */
export async function makeEmpty(
  url: string,
  name: string,
  { citus = true, nodes: hasNodes = true }: { citus?: boolean; nodes?: boolean } = {},
): Promise<string> {
  const nodes = await nodesOf(url)
  for (const node of nodes) {
    await on(at(url, node, 'postgres'), async (client) => {
      await client.query(`drop database if exists ${name} with (force)`)
      await client.query(`create database ${name}`)
      await client.query(`alter database ${name} set synchronous_commit = off`)
    })
    if (citus) await on(at(url, node, name), (client) => client.query('create extension citus'))
  }
  const coordinator = required(nodes.find(({ isCoordinator }) => isCoordinator))
  const own = at(url, coordinator, name)
  if (!citus || !hasNodes) return own
  await on(own, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port, isCoordinator } of nodes) {
      if (!isCoordinator) await client.query('select citus_add_node($1, $2)', [host, port])
    }
  })
  return own
}

/** The same, migrated and distributed. */
export async function makeDistributed(url: string, name: string): Promise<void> {
  const own = await makeEmpty(url, name)
  const { db } = openPostgres(own, { connections: 2, patient: true })
  await migrate(db)
  await db.destroy()
  await on(own, (client) => distributeTables(client, SHARDS))
}
