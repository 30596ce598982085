// Names violated constraints in one vocabulary for both engines.
import { detailsOf } from '../runtime/untyped.ts'

const SQLITE_UNIQUE = new Set([1555, 2067])
const POSTGRES_UNIQUE = '23505'

/** Whether a write failed because something of that name, address or key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = detailsOf(error)
  return (errcode !== undefined && SQLITE_UNIQUE.has(errcode)) || code === POSTGRES_UNIQUE
}
