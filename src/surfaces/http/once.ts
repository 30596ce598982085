// A write that is made once although it is sent twice (Idempotency-Key), or only tried (Prefer: handling=dry-run). Both run the handler in
// one transaction of the request: the answer is stored in it, or it is rolled back. Requests without these headers take no step of this.
import { networkOf } from '../../budgets/budgets.ts'
import { countKey, type DryRuns } from '../../budgets/keys.ts'
import { isRepeatable, isWrite, type Operation } from '../../contract/operation.ts'
import { Problem, statusOf } from '../../contract/problem.ts'
import { waitForLocks } from '../../database/prepared.ts'
import { RequestTransaction } from '../../database/request-transaction.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context, Dependencies } from '../../request/handler.ts'
import * as keys from '../../request/idempotency.ts'
import * as queries from '../../request/idempotency-queries.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { outageOf } from '../../runtime/outage.ts'
import { dryBlobs } from '../../storage/dry-blobs.ts'
import type { RequestBody } from './request-body.ts'

/** What a request asks for beside its operation. */
export type Asked = { isDry: true } | { isDry: false; key: string }

const DRY_RUN = /^\s*handling\s*=\s*"?dry-run"?\s*(?:;|$)/i

/** Whether a header asks for a dry run (RFC 7240, 2). */
const prefersDryRun = (headers: Headers): boolean =>
  (headers.get('prefer') ?? '').split(',').some((preference) => DRY_RUN.test(preference))

/** Undefined for a request that is carried out plainly. */
export function askedBy(headers: Headers, operation: Operation): Asked | undefined {
  if (!isWrite(operation)) return undefined
  if (prefersDryRun(headers)) {
    if (isRepeatable(operation)) return { isDry: true }
    throw new Problem(
      'invalid_request',
      'Prefer: a password or a code is checked here, and every try counts: there is no dry run',
    )
  }
  if (!isRepeatable(operation)) return undefined
  const key = keys.keyIn(headers)
  return key === undefined ? undefined : { isDry: false, key }
}

/** What a handler gets in the place of the plain dependencies. */
export type Performing = Pick<Context, 'db' | 'apart' | 'blobs' | 'afterCommit'>

export const plainly = ({ db, blobs }: Dependencies): Performing => ({
  db,
  apart: db,
  blobs,
  afterCommit: (work) => work(),
})

/** How many accounts and webhooks would hear of what an account has done in a transaction, since an id. */
export type Foretell = (
  db: Db,
  act: { since: string; by: string },
) => Promise<{ notifications: number; webhooks: number }>

export interface Once {
  dependencies: Dependencies
  owner: keys.KeyOwner
  now: string
  /** What makes two requests the same: the operation, the address and the body. */
  sent: { operation: string; url: string; body: RequestBody }
  dryRuns: DryRuns
  foretell: Foretell
  perform(on: Performing): Promise<keys.KeptAnswer>
}

/** Undefined where the body cannot be read. */
async function fingerprintOf({ sent: { operation, url, body } }: Once): Promise<string | undefined> {
  const print = await body.fingerprint()
  const { pathname, search } = new URL(url)
  return print === undefined ? undefined : sha256([operation, pathname, search, print].join('\n'))
}

/** Whose idempotency keys those of a request are. */
export const ownerOf = (caller: Caller | undefined, address: string): keys.KeyOwner =>
  caller
    ? { accountId: caller.id, name: 'session' in caller.via ? 'the site' : caller.via.clientId }
    : { accountId: null, name: networkOf(address) }

/** The answer to a write that is kept, or undone. */
export const performAsked = (asked: Asked, once: Once): Promise<keys.KeptAnswer> =>
  asked.isDry ? performDry(once) : performOnce(once, asked.key)

const isCookie = ([name]: [string, string]) => name.toLowerCase() === 'set-cookie'

/** Runs the handler and undoes it; what it would have caused is in the header `Dry-Run`. */
async function performDry(once: Once): Promise<keys.KeptAnswer> {
  const { dependencies, owner, now, dryRuns, perform } = once
  if (dependencies.config.rateLimits) dryRuns.count(keys.hashOfKey(owner, 'dry-run'), now)
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
      ['Dry-Run', await effectsOf(once, request, since)],
    ]
    return { ...answer, headers }
  } finally {
    await request.rollback()
    await dry.discard()
  }
}

/** As a dictionary of RFC 9651: who would be told, mails, and entries of the audit log. */
async function effectsOf({ foretell, owner }: Once, { db, added }: RequestTransaction, since: string): Promise<string> {
  const by = owner.accountId
  const hasEvents = by !== null && (added.get('event') ?? 0) > 0
  const told = hasEvents ? await foretell(db, { since, by }) : { notifications: 0, webhooks: 0 }
  const effects = { ...told, mails: added.get('outbox') ?? 0, audit: added.get('audit') ?? 0 }
  return Object.entries(effects)
    .map(([name, count]) => `${name}=${count}`)
    .join(', ')
}

/** Runs the handler once for a key: the same request gets its answer again, another one is refused. */
async function performOnce(once: Once, key: string): Promise<keys.KeptAnswer> {
  const hash = keys.hashOfKey(once.owner, key)
  return (await replay(once, hash)) ?? new FirstTime(once, hash).run()
}

const REPLAYED: [string, string] = ['Idempotency-Replayed', 'true']

/** The answer of the first time; undefined where there was none yet. */
async function replay(once: Once, hash: string): Promise<keys.KeptAnswer | undefined> {
  const { db, secretFor } = once.dependencies
  const kept = await queries.findKept(db, hash, once.now)
  if (!kept) return undefined
  const given = await fingerprintOf(once)
  if (given === undefined) return undefined
  if (given !== kept.fingerprint) throw keys.reused()
  const answer = await keys.unsealAnswer(secretFor, kept.answer)
  return { ...answer, headers: [...answer.headers, REPLAYED] }
}

/** Of the answer to a request alone: it has its own at each one. */
const OF_THE_REQUEST = /^(set-cookie|ratelimit|ratelimit-policy|dpop-nonce)$/i

class FirstTime {
  readonly #once: Once
  readonly #hash: string
  readonly #request: RequestTransaction
  readonly #afterwards: (() => Promise<void>)[] = []
  /** Whether another request with this key was first. */
  #isTaken = false

  constructor(once: Once, hash: string) {
    this.#once = once
    this.#hash = hash
    this.#request = new RequestTransaction(once.dependencies.db, { onBegin: (db) => this.#take(db) })
  }

  async run(): Promise<keys.KeptAnswer> {
    try {
      const { blobs } = this.#once.dependencies
      const { db, apart } = this.#request
      const afterCommit = async (work: () => Promise<void>) => void this.#afterwards.push(work)
      const answer = await this.#once.perform({ db, apart, blobs, afterCommit })
      await this.#keep(answer)
      return answer
    } catch (error) {
      return this.#afterError(error)
    }
  }

  /** Another write with this key is waited for: it may be on its way in another process. */
  async #take(db: Transaction): Promise<void> {
    const { owner, now } = this.#once
    const key = {
      hash: this.#hash,
      accountId: owner.accountId,
      createdAt: now,
      expiresAt: after(now, keys.KEPT_SECONDS),
    }
    await waitForLocks(db, { atMostMilliseconds: keys.PATIENCE_MILLISECONDS })
    const isFree = await queries.takeKey(db, key).catch((error: unknown) => {
      throw outageOf(error)?.kind === 'busy' ? keys.stillRunning() : error
    })
    await waitForLocks(db, 'as usual')
    if (isFree) return
    this.#isTaken = true
    throw keys.stillRunning()
  }

  async #keep(answer: keys.KeptAnswer): Promise<void> {
    const { dependencies, owner, now } = this.#once
    const headers = answer.headers.filter(([name]) => !OF_THE_REQUEST.test(name))
    const sealed = await keys.sealAnswer(dependencies.secretFor, { ...answer, headers })
    if (sealed.length > keys.MAX_ANSWER_BYTES) throw new Error('The answer of a write is too large to be kept')
    const print = (await fingerprintOf(this.#once)) ?? ''
    await this.#request.commit(async (db) => {
      await queries.updateKept(db, this.#hash, { fingerprint: print, answer: sealed })
      if (!dependencies.config.rateLimits) return
      await countKey(db, { owner: sha256(keys.hashOfKey(owner, '')), bytes: sealed.length, now })
    })
    await this.#finish()
  }

  async #finish(): Promise<void> {
    for (const work of this.#afterwards) await work()
  }

  /** What was refused is not kept: the same key may be used again. An error of the server undoes everything. */
  async #afterError(error: unknown): Promise<keys.KeptAnswer> {
    const isRefusal = error instanceof Problem && statusOf[error.code] < 500
    if (isRefusal && this.#request.hasKept) {
      // A refusal may have written something, such as a try that counts.
      await this.#request.commit((db) => queries.deleteKey(db, this.#hash))
      await this.#finish()
    } else await this.#request.rollback()
    const answer = isRefusal || this.#isTaken ? await replay(this.#once, this.#hash) : undefined
    if (answer) return answer
    throw error
  }
}
