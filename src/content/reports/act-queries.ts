// What moderators did, as it is stored, with notices and appeals.

import { sql } from 'kysely'
import { type ModerationAction, noticed } from '../../contract/kinds.ts'
import type { Role } from '../../contract/operation.ts'
import type { Range } from '../../database/cursor.ts'
import { countChanged, locking } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, ModerationActTable, Transaction } from '../../database/schema.ts'
import { isBehind } from '../listing-queries.ts'

export type NewAct = Omit<
  ModerationActTable,
  'undoneAt' | 'appeal' | 'appealedAt' | 'appealGranted' | 'appealReason' | 'appealDecidedAt'
>

const open = { undoneAt: null, appeal: null, appealedAt: null }
const undecided = { appealGranted: null, appealReason: null, appealDecidedAt: null }

export async function insertAct(db: Transaction, act: NewAct): Promise<void> {
  await db
    .insertInto('moderationAct')
    .values({ ...act, ...open, ...undecided })
    .execute()
}

const columns = [
  ...['id', 'caseId', 'targetType', 'targetId', 'title', 'url', 'accountId', 'actorId', 'action', 'rule', 'reason'],
  ...['createdAt', 'undoneAt', 'purgedAt'],
  ...['appeal', 'appealedAt', 'appealGranted', 'appealReason', 'appealDecidedAt'],
] as const

const byId = (db: Db, id: string) => db.selectFrom('moderationAct').select(columns).where('id', '=', id)
export const findAct = (db: Db, id: string) => byId(db, id).executeTakeFirst()
export const lockAct = (db: Transaction, id: string) => locking(db, byId(db, id)).executeTakeFirst()

/** The role of the account whose act it is; that of an admin where it is of none: of the operator, or of an account that has left. */
export async function findRoleOf(db: Db, actorId: string | null): Promise<Role> {
  if (actorId === null) return 'admin'
  const actor = await db.selectFrom('user').select('role').where('id', '=', actorId).executeTakeFirst()
  return actor?.role ?? 'admin'
}

/** Whether another account may decide cases. */
export async function hasOtherModerator(db: Db, id: string): Promise<boolean> {
  const others = db.selectFrom('user').select('id').where('role', 'in', ['moderator', 'admin']).where('id', '!=', id)
  const active = others.where('blockedAt', 'is', null).where('deletionAt', 'is', null)
  return (await active.limit(1).execute()).length > 0
}

export const updateAct = inTransaction.updateTable('moderationAct', 'id')

/** The acts on a thing, newest first. */
export const listActsOn = (db: Db, targetId: string, limit: number) =>
  db
    .selectFrom('moderationAct as act')
    .leftJoin('user as actor', 'actor.id', 'act.actorId')
    .select(columns.map((name) => `act.${name}` as const))
    .select('actor.username as actorUsername')
    .where('act.targetId', '=', targetId)
    .orderBy('act.id', 'desc')
    .limit(limit)
    .execute()

/** The acts that an account has a notice of, newest first. */
export const listNoticesTo = (db: Db, accountId: string, { limit, offset, after }: Range) =>
  db
    .selectFrom('moderationAct')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('action', 'in', [...noticed])
    .$if(after !== undefined, (acts) => acts.where('id', '<', String(after?.[0])))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** How often an account was acted on, by what was done; without what was undone. */
export async function countActsOn(db: Db, accountId: string): Promise<{ action: ModerationAction; count: number }[]> {
  const rows = await db
    .selectFrom('moderationAct')
    .select(['action', (row) => row.fn.countAll<number>().as('count')])
    .where('accountId', '=', accountId)
    .where('undoneAt', 'is', null)
    .groupBy('action')
    .execute()
  return rows.map(({ action, count }) => ({ action, count: Number(count) }))
}

/** The public log of acts, newest first. */
export const listLog = (db: Db, { limit, offset, after }: Range) =>
  db
    .selectFrom('moderationAct')
    .select(['id', 'targetType', 'action', 'rule', 'createdAt', 'undoneAt', 'appealGranted'])
    .$if(after !== undefined, (acts) => acts.where(isBehind({ of: 'moderationAct', sort: 'latest' }, after ?? [])))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Locks the oldest removal before this moment, after which none can be undone; skips those another process holds. */
export function takePurgeable(db: Transaction, before: string) {
  const rows = db
    .selectFrom('moderationAct')
    .select(['id', 'targetType', 'targetId'])
    .where('action', '=', sql.lit('delete'))
    .where('undoneAt', 'is', null)
    .where('purgedAt', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(1)
  return locking(db, rows).executeTakeFirst()
}

/** Clears the account that some acts concerned, and its appeals. Returns how many acts changed. */
export async function forgetAccount(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('accountId', '=', from).limit(limit)
  const forgotten = { accountId: to, title: '', url: '', appeal: null }
  const acts = db.updateTable('moderationAct').set(forgotten).where('id', 'in', some)
  return countChanged(acts)
}

/** Clears the moderator of some acts. Returns how many acts changed. */
export async function forgetActor(db: Db, actorId: string, limit: number): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('actorId', '=', actorId).limit(limit)
  const acts = db.updateTable('moderationAct').set({ actorId: null }).where('id', 'in', some)
  return countChanged(acts)
}
