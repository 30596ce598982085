// What the engines call a broken rule, in one vocabulary.

const SQLITE_UNIQUE = new Set([1555, 2067])
const POSTGRES_UNIQUE = '23505'

/** Whether a write failed because something of that name, address or key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return (errcode !== undefined && SQLITE_UNIQUE.has(errcode)) || code === POSTGRES_UNIQUE
}

const SQLITE_FOREIGN_KEY = 787
const POSTGRES_FOREIGN_KEY = '23503'

/** Whether a write failed because what it points to is not there. */
export function isMissingReference(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === SQLITE_FOREIGN_KEY || code === POSTGRES_FOREIGN_KEY
}
