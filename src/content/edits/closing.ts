// A publication closes things, one a transaction: each locks what it closes, then the publication, which knows what is left. A process that ends
// loses nothing, and there is one notification of each.

import type { AuditAction } from '../../contract/audit.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { recordReleased } from '../notifications/events.ts'
import { recordModeration } from '../reports/moderation.ts'
import type { Store } from '../store/queries.ts'
import { isOneOf } from '../subject.ts'
import type { ClosableKind } from '../things.ts'
import { decide, type ThingWithStatus } from './handlers.ts'

/** A bug or a feature request that is to be closed. */
export interface ThingToClose {
  type: string
  id: string
}

/** What is published and has still to close something. */
export interface Publication {
  id: string
  pending: readonly ThingToClose[]
}

/** The same, locked. */
export interface LockedPublication extends Publication {
  /** Who published it. */
  by: string
  /** What the history of a thing says, and what its followers are led to; without an address where they may not read that. */
  reason: string
  /** Whether it leaves what is not open as it is. */
  onlyOpen?: true
  release?: { id: string; url: string } | undefined
}

/** Where the publications of a kind are stored. */
export interface Publications {
  /** The one that waits for longest. */
  find(db: Db): Promise<Publication | undefined>
  lock(db: Transaction, id: string): Promise<LockedPublication | undefined>
  update(db: Transaction, id: string, left: readonly ThingToClose[]): Promise<void>
}

/** Closes the next thing of the publication that waits for longest. Gives whether there was one. */
export async function closeNext(
  { db, now }: { db: Db; now: string },
  releasings: readonly ClosableKind[],
  publications: Publications,
): Promise<boolean> {
  const waiting = await publications.find(db)
  const next = waiting?.pending[0]
  if (!waiting || !next) return false
  await db.transaction().execute(async (transaction) => {
    const releasing = releasings.find(({ type }) => type === next.type)
    const isThere = await releasing?.lock(transaction, next.id)
    const publication = await publications.lock(transaction, waiting.id)
    const [first, ...left] = publication?.pending ?? []
    if (!publication || first?.id !== next.id) return
    const { id, by, reason, release, onlyOpen = false } = publication
    if (releasing && isThere) {
      const context = { caller: { id: by }, now, address: null }
      const status = await releasing.close(transaction, { context, id: next.id, reason, onlyOpen })
      const told = { ...(release && { release }) }
      if (status) await recordReleased(transaction, { by, now, on: next }, { status, ...told })
    }
    await publications.update(transaction, id, left)
  })
  return true
}

// What a release does to the things that it closes: their status changes as a moderator changes it.

interface Options<Action> {
  status: string
  /** What a caller must be permitted to do. */
  action: Action
  audit: AuditAction
  byVersions?: true
}

export function releasingOf<Thing extends ThingWithStatus, Action extends string>(
  store: Store<Thing, string, Action>,
  { status: to, action, audit, byVersions }: Options<NoInfer<Action>>,
): ClosableKind {
  return {
    type: store.type,
    ...(byVersions && { byVersions }),
    may: (caller) => isOneOf(store.subject.permissions[action], caller),
    lock: async (db, id) => (await store.findLocked(db, id)) !== undefined,
    async close(db, { context, id, reason, onlyOpen = false }) {
      const { status: from } = await store.lock(db, id)
      if (onlyOpen && !store.subject.closing?.from.includes(from)) return undefined
      if (from === to) return { from, to }
      const before = await decide(store, { transaction: db, context, id, changes: { status: to }, reason })
      await recordModeration(db, context, { action: audit, on: before, reason, detail: { from, to } })
      return { from, to }
    },
  }
}
