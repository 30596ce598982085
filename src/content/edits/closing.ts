// A publication closes things, one a transaction: each locks what it closes, then the publication, which knows what is left. A process that ends
// loses nothing, and there is one notification of each.

import type { Db, Transaction } from '../../database/schema.ts'
import { recordReleased } from '../notifications/events.ts'
import type { ClosableKind } from '../things.ts'

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
