// `npm run admin -- distribute`: tables that grow with members times things go from one PostgreSQL to the nodes of a Citus cluster
// (docs/decisions/2026-11-30-citus.md). The server may run: every process announces what it writes to these tables by itself.
import { distributableTables, hasCitus } from '../database/distributed.ts'
import { refuseUnready } from '../database/existing.ts'
import { isPostgres } from '../runtime/addresses.ts'
import type { Call, Command } from './command.ts'
import { countNodes, type DistributedTable, distributeTables, listOtherTriggers } from './distributing-queries.ts'
import { connect } from './postgres-rows.ts'

/** Shards cannot be split by hand later without some work, and a node holds several. */
const SHARDS = 32
const MAX_SHARDS = 1_024

export const distribute: Command = {
  usage: 'distribute [--shards <number>]',
  summary: `spreads ${distributableTables.join(', ')} over the nodes of a Citus cluster, on whose
coordinator the database is: ${SHARDS} shards each, or as many as --shards says where none is
yet. Writes to a table wait while its rows are copied. Repeat it after an interruption`,
  parameters: [0, 0],
  options: { shards: { type: 'string' } },
  run,
}

async function run({ settings, options, output }: Call): Promise<number> {
  const { databaseUrl } = settings()
  const shards = Number(options['shards'] ?? SHARDS)
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) {
    output.complain(`--shards takes a number from 1 to ${MAX_SHARDS}.`)
    return 2
  }
  if (!isPostgres(databaseUrl)) {
    output.complain(
      'The database is a SQLite file, which has one node: npm run admin -- move takes it to PostgreSQL first.',
    )
    return 1
  }
  await refuseUnready(databaseUrl)
  const client = await connect(databaseUrl)
  try {
    const why = await refusal(client)
    if (why !== undefined) {
      output.complain(why)
      return 1
    }
    const done = await distributeTables(client, shards, (table) => output.progress(`Distributing ${table}`))
    output.result({ tables: done }, done.map(sentenceOf).join('\n'))
    return 0
  } finally {
    await client.end()
  }
}

/** Why it cannot be done now. */
async function refusal(client: Awaited<ReturnType<typeof connect>>): Promise<string | undefined> {
  if (!(await hasCitus(client))) {
    return 'The database has no Citus: it has to be that of a coordinator, with create extension citus.'
  }
  if ((await countNodes(client)) === 0) {
    return 'The cluster has no node that may hold shards: select citus_add_node(host, port) adds one.'
  }
  const [other] = await listOtherTriggers(client)
  if (other !== undefined) {
    return `The trigger ${other} is in the way: Citus allows none on a distributed table. That of a move goes with move --finish or --cancel.`
  }
  return undefined
}

function sentenceOf({ table, by, rows, shards, milliseconds, already }: DistributedTable): string {
  const where = `${rows} rows in ${shards} shards by ${by}`
  return already
    ? `${table} was distributed already: ${where}.`
    : `${table} is distributed: ${where}, in ${(milliseconds / 1_000).toFixed(1)} s.`
}
