// Notifications of what is decided about things, each to the one account that it concerns.
import type { Transaction } from '../../database/schema.ts'
import { preview } from '../preview.ts'
import { insertEventOn } from './event-queries.ts'
import { type Act, rowOf, urlOf } from './events.ts'

/** A comment is the answer from now on, for its author. */
export async function recordSolved(db: Transaction, act: Act, { commentId, to }: { commentId: string; to: string }) {
  const row = { ...rowOf('solved', act), commentId, repliedTo: to, detail: JSON.stringify({ change: 'solved' }) }
  await insertEventOn(db, row, urlOf(commentId))
}

/** A thing is assigned to an account, for that account. */
export async function recordAssigned(
  db: Transaction,
  act: Act,
  { to, reason }: { to: string; reason: string | null },
): Promise<void> {
  const detail = JSON.stringify({ change: 'assigned' })
  await insertEventOn(db, { ...rowOf('assigned', act), repliedTo: to, excerpt: preview(reason ?? ''), detail })
}

/** A suggestion was accepted or refused, for the account that made it. */
export async function recordDecided(
  db: Transaction,
  act: Act,
  { to, change, reason }: { to: string; change: 'suggestion_accepted' | 'suggestion_refused'; reason: string | null },
): Promise<void> {
  const detail = JSON.stringify({ change })
  await insertEventOn(db, { ...rowOf('decided', act), repliedTo: to, excerpt: preview(reason ?? ''), detail })
}
