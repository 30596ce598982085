// The audit log as it is stored.

import { engineOf } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { AuditTable, Db } from '../database/schema.ts'
import { required } from '../runtime/untyped.ts'
import { type AuditEntry, type Head, hashOf } from './chain.ts'

const addition = prepared((db, given: Given<AuditTable>) =>
  db.insertInto('audit').values({
    id: given('id'),
    at: given('at'),
    actorId: given('actorId'),
    action: given('action'),
    targetType: given('targetType'),
    targetId: given('targetId'),
    detail: given('detail'),
    reason: given('reason'),
    address: given('address'),
    position: given('position'),
    previous: given('previous'),
    hash: given('hash'),
  }),
)

const head = prepared((db) => db.selectFrom('auditHead').select(['position', 'hash']))

/** The head of the chain. */
export async function findHead(db: Db): Promise<Head | undefined> {
  return (await head(db, {})).rows[0]
}

/** Adds a row at the end of the chain. On PostgreSQL the database does that when the transaction ends. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  if (engineOf(db) === 'postgres') {
    await addition(db, { ...entry, position: null, previous: null, hash: null })
    return
  }
  // One transaction writes at a time, so the head cannot change between the read and the update.
  if (!db.isTransaction) return db.transaction().execute((transaction) => insertAudit(transaction, entry))
  const { position: last, hash: previous } = required(await findHead(db))
  const position = last + 1
  const hash = hashOf(entry, { position, previous })
  await addition(db, { ...entry, position, previous, hash })
  await db.updateTable('auditHead').set({ position, hash }).execute()
}

type Chained = AuditEntry & { position: number; previous: string; hash: string }

/** Rows of the chain after a position, in its order. */
export async function listChain(db: Db, after: number, limit: number): Promise<Chained[]> {
  const rows = db.selectFrom('audit').selectAll().where('position', '>', after).orderBy('position').limit(limit)
  return (await rows.execute()) as Chained[]
}

/** A row that has no place in the chain, if there is one. */
export function findUnchained(db: Db) {
  return db.selectFrom('audit').select('id').where('position', 'is', null).limit(1).executeTakeFirst()
}

const shown = ['id', 'at', 'actorId', 'action', 'targetType', 'targetId', 'detail', 'reason', 'address'] as const

interface AuditFilters {
  action?: string | undefined
  actorId?: string | undefined
  targetId?: string | undefined
}

/** Newest first, with the current name of the actor. */
export function listAudit(
  db: Db,
  { action, actorId, targetId }: AuditFilters,
  { offset, limit }: { offset: number; limit: number },
) {
  const ids = db
    .selectFrom('audit')
    .select('id')
    .$if(action !== undefined, (query) => query.where('action', '=', required(action)))
    .$if(actorId !== undefined, (query) => query.where('actorId', '=', required(actorId)))
    .$if(targetId !== undefined, (query) => query.where('targetId', '=', required(targetId)))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom('audit')
    .leftJoin('user as actor', 'actor.id', 'audit.actorId')
    .select(shown.map((column) => `audit.${column}` as const))
    .select(['actor.username as actorUsername', 'actor.email as actorEmail'])
    .where('audit.id', 'in', ids)
    .orderBy('audit.id', 'desc')
    .execute()
}
