// A write that waits as it is kept: the request of the agent, and what it is about.

/** A thing as it was when the account was asked. */
export interface Target {
  /** By what its row is locked; missing where it has none, and in what earlier versions kept. */
  id?: string | undefined
  title: string
  /** On the site. */
  url: string | null
  /** What stands in the fields that the write names. */
  before: Record<string, unknown>
}

/** A request as it is kept; its files are beside it. */
export interface KeptRequest {
  method: string
  /** Path and query. */
  target: string
  json?: string | undefined
  fields?: [name: string, value: string][] | undefined
  /** The network address that it came from, for the limits and the audit log of the write. */
  address: string
  /** What it is about, as the account was shown it; null for what makes something new. */
  about?: Target | null
}
