// The chain of the audit log: the hashed content of a row. PostgreSQL computes the same in a trigger (migrations/0001-start/triggers.ts).
import { createHash } from 'node:crypto'
import type { AuditTable } from '../database/schema.ts'

/** The head of a chain; before the first row its position is 0, with an empty hash. */
export interface Head {
  position: number
  hash: string
}

export type AuditEntry = Omit<AuditTable, 'position' | 'previous' | 'hash'>

/** The content of an entry. */
export const columns = [
  'id',
  'at',
  'actorId',
  'action',
  'targetType',
  'targetId',
  'detail',
  'reason',
  'address',
] as const

/** A text with its length in bytes, or a dash for null: two different rows never look alike. */
const part = (value: string | number | null) =>
  value === null ? '-' : `${Buffer.byteLength(String(value))}:${String(value)}`

/** The hash of a row at its place: over the position, the hash of the row before, and every column. */
export function hashOf(entry: AuditEntry, { position, previous }: { position: number; previous: string }): string {
  const parts = [position, previous, ...columns.map((name) => entry[name])]
  return createHash('sha256').update(parts.map(part).join(',')).digest('hex')
}
