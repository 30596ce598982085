// What is known of agents: the names that they had when an account let them in last.
import { sql } from 'kysely'
import { clientIn, countChanged } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import type { Grant } from './grant-queries.ts'

/** Notes what an agent is called now. */
export async function upsertAgent(db: Db, { clientId, clientName: name, createdAt: now }: Grant): Promise<void> {
  await db
    .insertInto('agent')
    .values({ clientId, name, firstSeenAt: now, seenAt: now })
    .onConflict((conflict) => conflict.column('clientId').doUpdateSet({ name, seenAt: now }))
    .execute()
}

/** What an agent was called at its last consent. */
export async function findAgentName(db: Db, clientId: string): Promise<string | null> {
  const agent = await db.selectFrom('agent').select('name').where('clientId', '=', clientId).executeTakeFirst()
  return agent?.name ?? null
}

/** Forgets agents that nothing names any more and that got no access since a moment. */
export async function deleteAgents(db: Db, moment: string, limit: number): Promise<number> {
  const names = (table: string, column: string) =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} named where ${sql.ref(`named.${column}`)} = agent."clientId")`
  // The index of it has only what agents wrote.
  const wrote = sql<boolean>`exists (select 1 from "searchDocument" named where named."viaClientId" is not null
    and ${clientIn(db, 'named.viaClientId')} = agent."clientId")`
  const old = db.selectFrom('agent').select('clientId').where('seenAt', '<', moment)
  const unnamed = old.where((row) => row.not(row.or([names('grant', 'clientId'), names('oauthClient', 'id'), wrote])))
  return countChanged(db.deleteFrom('agent').where('clientId', 'in', unnamed.limit(limit)))
}
