// A write that is made once although it is sent twice (Idempotency-Key), is only tried (Prefer: handling=dry-run), or waits for the yes of
// its account. The handler runs in one transaction of the request: the answer is stored in it, or it is rolled back. Other requests take
// no step of this.
import { networkOf } from '../budgets/budgets.ts'
import { isRepeatable, isWrite, type Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { RequestTransaction } from '../database/request-transaction.ts'
import type { Db } from '../database/schema.ts'
import type { Approval } from '../request/acting.ts'
import type { Caller, Dependencies } from '../request/handler.ts'
import * as keys from '../request/idempotency.ts'
import { newId } from '../runtime/ids.ts'
import { dryBlobs } from '../storage/dry-blobs.ts'
import type { WriteDependencies, WriteRequest } from './call-request.ts'
import { performActing, performOnce } from './kept-write.ts'

/** What a request asks for beside its operation. */
export type WriteMode = { isDry: true } | { isDry: false; key: string }

/** Undefined for a call that is carried out plainly. Throws `invalid_request` for what the operation does not take. */
export function askedBy(
  { isDryRun, idempotencyKey }: { isDryRun?: boolean; idempotencyKey?: string | undefined },
  operation: Operation,
): WriteMode | undefined {
  if (!isWrite(operation)) return undefined
  if (isDryRun) {
    if (isRepeatable(operation)) return { isDry: true }
    throw new Problem(
      'invalid_request',
      'Prefer: a password or a code is checked here, and every try counts: there is no dry run',
    )
  }
  if (!isRepeatable(operation)) return undefined
  return idempotencyKey === undefined ? undefined : { isDry: false, key: keys.keyIn(idempotencyKey) }
}

/** `on` is the transaction that a read looks into. */
export const plainly = ({ db, blobs }: Dependencies, on: Db = db): WriteDependencies => ({
  db: on,
  apart: on,
  blobs,
  afterCommit: async (work) => void (await work()),
})

/** Who sends a request: whose its idempotency keys are, and from which network. */
export function senderOf(caller: Caller | undefined, address: string): Pick<WriteRequest, 'owner' | 'network'> {
  const network = networkOf(address)
  if (!caller) return { owner: { accountId: null, name: network }, network }
  return { owner: { accountId: caller.id, name: 'session' in caller.via ? 'the site' : caller.via.clientId }, network }
}

/** In which way a write is made: with what its request asks for, after a yes of the account, or because that agreed to it. */
export interface Way {
  asked?: WriteMode | undefined
  waits: boolean
  /** The item whose people decide on what waits. */
  itemId?: string | undefined
  acting?: Approval | undefined
}

/** A request that asks for nothing. */
export const plain: Way = { waits: false }

/** The answer to a write that is kept, undone, or waits for a yes. */
export function performIn({ asked, waits, acting }: Way, once: WriteRequest): Promise<keys.KeptAnswer> {
  if (acting) return performActing(once, acting)
  if (asked?.isDry) return performDry(once, waits)
  const made: WriteRequest = waits ? { ...once, perform: (on) => askFirst(once, on) } : once
  return asked ? performOnce(made, asked.key) : made.perform(plainly(once.dependencies))
}

/** Tries the write; what passes is kept for the account to decide. */
async function askFirst(once: WriteRequest, on: WriteDependencies): Promise<keys.KeptAnswer> {
  const preview = await performDry(once)
  return once.ask(on, { preview, body: once.sent.body.sent() })
}

const isCookie = ([name]: [string, string]) => name.toLowerCase() === 'set-cookie'

/** Runs the handler and undoes it; what it would have caused is in the header `Dry-Run`. */
async function performDry(once: WriteRequest, waits = false): Promise<keys.KeptAnswer> {
  const { dependencies, owner, network, now, dryRuns, perform } = once
  if (dependencies.config.rateLimits) dryRuns.count({ caller: keys.hashOfKey(owner, 'dry-run'), network }, now)
  const { db, blobs } = dependencies
  const since = newId()
  const request = new RequestTransaction(db, { isDry: true })
  const dry = dryBlobs(blobs)
  try {
    const answer = await perform({
      db: request.db,
      apart: request.apart,
      blobs: dry.blobs,
      afterCommit: async () => {},
    })
    const headers: [string, string][] = [
      ...answer.headers.filter((header) => !isCookie(header)),
      ['Preference-Applied', 'handling=dry-run'],
      ['Dry-Run', `${await effectsOf(once, request, since)}${waits ? ', asks' : ''}`],
    ]
    return { ...answer, headers }
  } finally {
    await request.rollback()
    await dry.discard()
  }
}

/** As a dictionary of RFC 9651: who would be told, mails, and entries of the audit log. */
async function effectsOf(
  { foretell, owner }: WriteRequest,
  { db, added }: RequestTransaction,
  since: string,
): Promise<string> {
  const by = owner.accountId
  const hasEvents = by !== null && (added.get('event') ?? 0) > 0
  const told = hasEvents ? await foretell(db, { since, by }) : { notifications: 0, webhooks: 0 }
  const effects = { ...told, mails: added.get('outbox') ?? 0, audit: added.get('audit') ?? 0 }
  return Object.entries(effects)
    .map(([name, count]) => `${name}=${count}`)
    .join(', ')
}
