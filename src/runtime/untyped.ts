// What the code knows and types cannot express: values that must exist, JSON that Guildhall wrote itself, and caught values.

/** The value; throws where the guarantee of the code around it is broken. */
export function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError('A required value is missing')
  return value
}

/** JSON of columns, of stored files and of our own responses; nothing is checked. What others send is parsed by a schema. */
export const parseJson = <T>(text: string): T => JSON.parse(text)

/** Fields that errors of the system, SQLite, PostgreSQL and S3 have beside their message. */
export interface ErrorDetails {
  name?: string
  message?: string
  code?: unknown
  /** The system's, negative. */
  errno?: number
  /** SQLite's result code. */
  errcode?: number
  /** PostgreSQL's. */
  severity?: unknown
  syscall?: string
  cause?: unknown
  /** The AWS SDK's. */
  $metadata?: { httpStatusCode?: number }
}

export const detailsOf = (error: unknown): ErrorDetails => (error instanceof Error ? error : {})

/** The caught value as an error. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
