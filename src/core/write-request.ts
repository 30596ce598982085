// A write that asks for more than to be made, as its ways know it (once.ts, kept-write.ts).
import type { DryRuns } from '../budgets/dry-runs.ts'
import type { Db } from '../database/schema.ts'
import type { WaitingWrite } from '../request/acting.ts'
import type { Context, Dependencies } from '../request/handler.ts'
import type * as keys from '../request/idempotency.ts'
import type { CallBody } from './call-body.ts'

/** What a handler gets in the place of the plain dependencies. */
export type WriteDependencies = Pick<Context, 'db' | 'apart' | 'blobs' | 'afterCommit'>

/** How many accounts and webhooks would hear of what an account has done in a transaction, since an id. */
export type Foretell = (
  db: Db,
  act: { since: string; by: string },
) => Promise<{ notifications: number; webhooks: number }>

export interface WriteRequest {
  dependencies: Dependencies
  owner: keys.KeyOwner
  /** The network that it came from. */
  network: string
  now: string
  /** What makes two requests the same: the operation, the address and the body. */
  sent: { operation: string; url: string; body: CallBody }
  /** Whether the answer has a secret, and is not kept. */
  isShownOnce: boolean
  dryRuns: DryRuns
  foretell: Foretell
  /** Keeps a write that needs a yes, and answers that it waits. */
  ask(on: WriteDependencies, write: Pick<WaitingWrite, 'preview' | 'body'>): Promise<keys.KeptAnswer>
  perform(on: WriteDependencies): Promise<keys.KeptAnswer>
  /** The body of the answer with this output. */
  textOf(output: unknown): string
}
