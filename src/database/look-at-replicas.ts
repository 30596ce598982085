// Looks once at each replica, for a command of the operator: a server asks all the time (replicas.ts).
import { Client } from 'pg'
import { serverIn } from '../runtime/addresses.ts'
import { reasonOf } from '../runtime/outage.ts'
import { required } from '../runtime/untyped.ts'
import { LISTENING } from './listening-statements.ts'
import { sessionOf } from './postgres-session.ts'
import * as position from './replica-position.ts'

export interface ReplicaLook {
  /** Its host and port. */
  name: string
  /** How much of the log of the primary it has not replayed. */
  bytesBehind?: number
  /** Why it takes no reads. */
  complaint?: string
}

interface Primary {
  identity: position.PrimaryDatabase
  state: position.PrimaryState
}

/** In the order of their addresses. Rejects when the primary cannot be asked. */
export async function lookAtReplicas(primaryUrl: string, urls: readonly string[]): Promise<ReplicaLook[]> {
  if (urls.length === 0) return []
  const primary = await asking(primaryUrl, async (client) => ({
    identity: await rowOf<position.PrimaryDatabase>(client, position.PRIMARY_DATABASE),
    state: await rowOf<position.PrimaryState>(client, position.PRIMARY_STATE),
  }))
  return Promise.all(
    urls.map(async (url) => ({
      name: serverIn(url),
      ...(await asking(url, (client) => look(client, primary)).catch((error: unknown) => ({
        complaint: reasonOf(error),
      }))),
    })),
  )
}

async function look(client: Client, { identity, state }: Primary): Promise<Omit<ReplicaLook, 'name'>> {
  const replica = await rowOf<position.ReplicaDatabase>(client, position.REPLICA_DATABASE)
  if (replica.server === identity.server) return { complaint: position.IS_PRIMARY }
  const { isInRecovery, replayed } = await rowOf<position.ReplicaState>(client, position.REPLICA_STATE)
  if (!isInRecovery) return { complaint: position.IS_ANOTHER_PRIMARY }
  const complaint = position.whyNoReplica(identity, replica, state)
  if (complaint !== undefined) return { complaint }
  const behind = position.bytesOf(state.inserted) - position.bytesOf(replayed ?? '0/0')
  return { bytesBehind: Math.max(0, Number(behind)) }
}

const rowOf = async <Row extends object>(client: Client, statement: string): Promise<Row> =>
  required((await client.query<Row>(statement)).rows[0])

async function asking<Result>(url: string, ask: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: sessionOf(url).connectionString, ...LISTENING })
  client.on('error', () => {})
  try {
    await client.connect()
    return await ask(client)
  } finally {
    client.end().catch(() => {})
  }
}
