// Work that goes on after the answer that it began with. For clients of MCP it is a task (surfaces/mcp/job-tasks.ts); for those of REST two operations
// tell of it and end it. The answer of all three has an `id` and a `state`.

/** What a state is to a client: a task that has failed is completed too, with an error for its result. */
export type TaskStatus = 'working' | 'completed' | 'cancelled' | 'failed'

export interface LongTask {
  /** The operations by their names: one reads it by its `id`, one ends it or lets it pause. */
  get: string
  cancel: string
  /** Each state, and what is said of it. */
  states: Readonly<Record<string, readonly [TaskStatus, string]>>
  /** How far it is: numbers in a part of the answer that come to a total. */
  counts?: { part: string; names: readonly string[]; total: string }
}
