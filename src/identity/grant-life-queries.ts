// What happened to grants and which of their scopes are used, as it is stored.
import { type Selectable, sql } from 'kysely'
import { type Bind, prepared } from '../database/prepared.ts'
import { plain } from '../database/rows.ts'
import type { Db, GrantEventTable, GrantScopeUseTable } from '../database/schema.ts'

export type GrantEvent = Selectable<GrantEventTable>

/** So many of a grant are kept, the newest. */
export const MAX_EVENTS = 50

const insertion = prepared(
  (db, given: Bind<GrantEvent>) =>
    db.insertInto('grantEvent').values({
      ...{ id: given('id'), grantId: given('grantId'), userId: given('userId'), clientId: given('clientId') },
      ...{ kind: given('kind'), network: given('network'), device: given('device'), createdAt: given('createdAt') },
    }),
  { pipelined: true },
)

const trimming = prepared(
  (db, given: Bind<{ grantId: string }>) =>
    db
      .deleteFrom('grantEvent')
      .where('grantId', '=', given('grantId'))
      .where('id', '<', (rows) =>
        rows
          .selectFrom('grantEvent')
          .select('id')
          .where('grantId', '=', given('grantId'))
          .orderBy('id', 'desc')
          .limit(sql.lit(1))
          .offset(sql.lit(MAX_EVENTS - 1)),
      ),
  { pipelined: true },
)

/** Notes what happened to a grant, and forgets the oldest of it. */
export async function insertEvent(db: Db, event: GrantEvent): Promise<void> {
  await insertion(db, event)
  await trimming(db, { grantId: event.grantId })
}

/** Newest first. */
export const listEvents = (db: Db, grantId: string) =>
  db
    .selectFrom('grantEvent')
    .select(['id', 'kind', 'network', 'device', 'createdAt'])
    .where('grantId', '=', grantId)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()

/** Copies of tokens that were stopped, of an account, newest first. */
export const listReuse = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('grantEvent')
    .leftJoin('agent', 'agent.clientId', 'grantEvent.clientId')
    .select(['grantEvent.id', 'grantEvent.clientId', 'agent.name as clientName'])
    .select(['grantEvent.network', 'grantEvent.device', 'grantEvent.createdAt'])
    .where('grantEvent.userId', '=', userId)
    .where('grantEvent.kind', '=', 'reused')
    .orderBy('grantEvent.id', 'desc')
    .limit(limit)
    .execute()

/** Whether the account of a grant knows the network: it had something of it before. */
export async function isKnownNetwork(db: Db, { grantId, network }: Pick<GrantEvent, 'grantId' | 'network'>) {
  const events = db.selectFrom('grantEvent').select('id').where('grantId', '=', grantId)
  return (await events.where('network', '=', network).limit(1).executeTakeFirst()) !== undefined
}

export const deleteEventsOf = plain.deleteFrom('grantEvent', 'userId')

/** Notes that a scope is in use, unless that was noted after `before`. A grant that has ended has none. */
export async function upsertScopeUse(
  db: Db,
  { grantId, scope, usedAt, before }: GrantScopeUseTable & { before: string },
): Promise<void> {
  await db
    .insertInto('grantScopeUse')
    .columns(['grantId', 'scope', 'usedAt'])
    .expression(
      db
        .selectFrom('grant')
        .select([
          'grant.id',
          sql<string>`cast(${scope} as text)`.as('scope'),
          sql<string>`cast(${usedAt} as text)`.as('at'),
        ])
        .where('grant.id', '=', grantId),
    )
    .onConflict((conflict) =>
      conflict.columns(['grantId', 'scope']).doUpdateSet({ usedAt }).where('grantScopeUse.usedAt', '<', before),
    )
    .execute()
}

export const listScopeUses = (db: Db, grantId: string) =>
  db.selectFrom('grantScopeUse').select(['scope', 'usedAt']).where('grantId', '=', grantId).execute()
