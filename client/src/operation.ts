// What the table of operations says of each one (derived/operations.ts). What is absent does not apply.

export interface Paging {
  /** cursor: `nextCursor` of an answer is sent as `cursor`. after: `next`, as `after`. */
  by: 'cursor' | 'after'
  /** The field of the answer with the entries. */
  entries: string
}

export interface OperationRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api, with `{name}` for what the caller fills in. */
  path: string
  /** none: no credential is read. session: a cookie of the site, never a token. */
  credential: 'none' | 'optional' | 'required' | 'session'
  /** What a token needs. */
  scope?: string
  /** Names of the input in the query and in the JSON body. */
  query?: readonly string[]
  body?: readonly string[]
  /** Those of the body that cannot be texts. */
  values?: readonly string[]
  /** Names in a form (multipart/form-data): texts, and files. */
  fields?: readonly string[]
  files?: Readonly<Record<string, { maxBytes: number; maxFiles: number }>>
  /** The answer is not JSON. */
  response?: 'file' | 'stream'
  /** It may be sent again: it only reads, or takes an idempotency key. */
  repeatable?: true
  paging?: Paging
}

export type OperationTable = Readonly<Record<string, Readonly<Record<string, OperationRow>>>>
