// The audit log as it is stored, and as admins read it.
import type { NotNull } from 'kysely'
import { engineOf } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import type { AuditTable, Db } from '../database/schema.ts'
import { required } from '../runtime/untyped.ts'
import { type AuditEntry, columns, type Head, hashOf } from './chain.ts'

const addition = prepared(
  (db, given: Bind<AuditTable>) =>
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
  { pipelined: true },
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

/** Rows of the chain after a position, in its order. */
export function listChain(db: Db, after: number, limit: number) {
  const rows = db
    .selectFrom('audit')
    .select([...columns, 'position', 'previous', 'hash'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
  return rows.$narrowType<{ position: NotNull; previous: NotNull; hash: NotNull }>().execute()
}

/** A row that has no place in the chain, if there is one. */
export function findUnchained(db: Db) {
  return db.selectFrom('audit').select('id').where('position', 'is', null).limit(1).executeTakeFirst()
}

/** Newest first, with the current name of the actor. */
export function listAudit(
  db: Db,
  { action, actorId, targetId }: { [Column in 'action' | 'actorId' | 'targetId']?: string | undefined },
  { before, offset, limit }: { before?: string | undefined; offset: number; limit: number },
) {
  const ids = db
    .selectFrom('audit')
    .select('id')
    .where((e) => e.and({ action, actorId, targetId }))
    .$if(before !== undefined, (rows) => rows.where('id', '<', String(before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom('audit')
    .leftJoin('user as actor', 'actor.id', 'audit.actorId')
    .select(columns.map((column) => `audit.${column}` as const))
    .select(['actor.username as actorUsername', 'actor.email as actorEmail'])
    .where('audit.id', 'in', ids)
    .orderBy('audit.id', 'desc')
    .execute()
}
