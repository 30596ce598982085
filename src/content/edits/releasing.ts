// What a release does to the things that it closes: their status changes as a moderator changes it.

import type { AuditAction } from '../../contract/audit.ts'
import { recordModeration } from '../reports/moderation.ts'
import type { Store } from '../store/queries.ts'
import { isOneOf } from '../subject.ts'
import type { ClosableKind } from '../things.ts'
import { decide, type ThingWithStatus } from './handlers.ts'

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
