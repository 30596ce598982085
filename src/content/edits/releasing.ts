// What a release does to the things that it closes: their status changes as a moderator changes it.
import type { AuditAction } from '../../contract/audit.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { type ActContext, recordModeration } from '../moderation.ts'
import { isOneOf } from '../subject.ts'
import type { Store } from '../subject-queries.ts'
import { decide, type ThingWithStatus } from './handlers.ts'

/** A kind of thing that a release can close. */
export interface ClosableKind {
  type: string
  /** Whether those who publish versions of an item close what is about it. */
  byVersions?: true
  /** Whether a caller may set the status of such things. */
  may(caller: Pick<Caller, 'id' | 'role'>): boolean
  /** Locks a thing; false where there is none. */
  lock(db: Transaction, id: string): Promise<boolean>
  /** Closes a locked thing; gives its status before and after, undefined for one that is left as moderators decided. */
  close(db: Transaction, act: CloseAct): Promise<{ from: string; to: string } | undefined>
}

interface CloseAct {
  context: ActContext
  id: string
  reason: string
  /** Only what is open: another status is a decision of moderators. */
  onlyOpen?: boolean
}

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
