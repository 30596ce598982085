// What every connection to PostgreSQL is set to. Timeouts are set by a statement after connecting, not by parameters of the start: a pooler
// in between refuses those, or leaves them out (PgBouncer with `ignore_startup_parameters`). It must keep sessions: one that gives each
// transaction to another connection loses prepared statements, notifications and locks.
import pg from 'pg'

/** In milliseconds: for a locked row, for a statement, and for our idle transactions. */
export interface Timeouts {
  lock_timeout?: number
  statement_timeout?: number
  idle_in_transaction_session_timeout?: number
}

const NAMES = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const
/** A pooler may give the same connection to two clients by chance, or not: the question is asked so often. */
const ROUNDS = 3
const NO_SESSIONS =
  'the pooler in front of PostgreSQL keeps no sessions, and Guildhall needs them (prepared statements, notifications, locks): set pool_mode = session in PgBouncer, or name PostgreSQL itself in DATABASE_URL'

/** An address without timeouts, and the timeouts that connections to it have: those of the address take precedence. */
export function sessionOf(url: string, timeouts: Timeouts = {}): { connectionString: string; timeouts: Timeouts } {
  const [address = '', ...rest] = url.split('?')
  const parameters = new URLSearchParams(rest.join('?'))
  const own: Timeouts = {}
  for (const name of NAMES) {
    const milliseconds = Number.parseInt(parameters.get(name) ?? '', 10)
    if (milliseconds >= 0) own[name] = milliseconds
    parameters.delete(name)
  }
  const left = parameters.toString()
  return { connectionString: left ? `${address}?${left}` : address, timeouts: { ...timeouts, ...own } }
}

/** Sets the timeouts of a connection: the statements after it have them. */
export async function setTimeouts(client: pg.ClientBase, timeouts: Timeouts): Promise<void> {
  const statements = Object.entries(timeouts).map(([name, value]) => `set ${name} = ${value}`)
  if (statements.length > 0) await client.query(statements.join('; '))
}

/** Throws where a pooler gives the connection of one client to another one, while both are there. */
export async function refuseWithoutSessions(url: string): Promise<void> {
  const { connectionString } = sessionOf(url)
  const clients = [1, 2].map(() => new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 }))
  for (const client of clients) client.on('error', () => {})
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const [first, second] = clients as [pg.Client, pg.Client]
    for (let round = 0; round < ROUNDS; round++) {
      // In a transaction a pooler keeps the connection: if that of the first client was free for it, the first has none of its own.
      const own = await processOf(first)
      await second.query('begin')
      const other = await processOf(second)
      const isShared = own === other || own !== (await processOf(first))
      await second.query('rollback')
      if (isShared) throw new Error(NO_SESSIONS)
    }
  } catch (error) {
    // PgBouncer by its mode `statement`.
    if (error instanceof Error && /statement pooling mode/.test(error.message)) throw new Error(NO_SESSIONS)
    throw error
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

async function processOf(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query<{ pid: unknown }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
