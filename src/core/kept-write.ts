// A write with an answer that is stored in its transaction: for a request with an idempotency key, or for a pending act that its account
// has agreed to. So the write is made once, however often and wherever it is begun.
import { countKey } from '../budgets/keys.ts'
import { Problem, statusOf } from '../contract/problem.ts'
import { waitForLocks } from '../database/prepared.ts'
import { RequestTransaction } from '../database/request-transaction.ts'
import type { Transaction } from '../database/schema.ts'
import type { Approval } from '../request/acting.ts'
import * as keys from '../request/idempotency.ts'
import * as queries from '../request/idempotency-queries.ts'
import { after } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { outageOf } from '../runtime/outage.ts'
import type { WriteRequest } from './call-request.ts'

/** Where the answer of a write is stored. */
interface Ledger {
  /** Takes the place of the answer, first in the transaction; false where another one has it. */
  take(db: Transaction): Promise<boolean>
  /** Stores the answer, last in it. */
  keep(db: Transaction, answer: keys.KeptAnswer): Promise<void>
  /** Stores the answer in the place of the one that was kept before what follows the commit was done. */
  replace(db: Transaction, answer: keys.KeptAnswer): Promise<void>
  /** Frees the place, where the write was refused. */
  free(db: Transaction): Promise<void>
  /** The answer of the first time; undefined where there was none yet. */
  replay(): Promise<keys.KeptAnswer | undefined>
}

/** Runs the handler once for a key: the same request gets its answer again, another one is refused. */
export async function performOnce(once: WriteRequest, key: string): Promise<keys.KeptAnswer> {
  const ledger = keyLedger(once, keys.hashOfKey(once.owner, key))
  return (await ledger.replay()) ?? new KeptWrite(once, ledger).run()
}

/** Makes an act that was agreed to, or that came by mail. */
export const performActing = (
  once: WriteRequest,
  { take, keep, free = async () => {} }: Approval,
): Promise<keys.KeptAnswer> =>
  new KeptWrite(once, { take, keep, replace: keep, free, replay: async () => undefined }).run()

/** Undefined where the body cannot be read. */
async function fingerprintOf({ sent: { operation, url, body } }: WriteRequest): Promise<string | undefined> {
  const print = await body.fingerprint()
  const { pathname, search } = new URL(url)
  return print === undefined ? undefined : sha256([operation, pathname, search, print].join('\n'))
}

/** The answer to a write that waits for a yes is kept for as long as that may wait, so that a second try asks no second time. */
const keptSeconds = ({ status }: keys.KeptAnswer) => (status === 202 ? keys.KEPT_WAITING_SECONDS : keys.KEPT_SECONDS)

const keyLedger = (once: WriteRequest, hash: string): Ledger => ({
  take: (db) => takeKey(once, db, hash),
  async keep(db, answer) {
    const { dependencies, owner, now } = once
    const bytes = await storeAnswer(once, db, { hash, answer })
    if (dependencies.config.rateLimits) await countKey(db, { owner: sha256(keys.hashOfKey(owner, '')), bytes, now })
  },
  replace: async (db, answer) => void (await storeAnswer(once, db, { hash, answer })),
  free: (db) => queries.deleteKey(db, hash),
  replay: () => replay(once, hash),
})

/** Stores an answer under the hash of its key; gives how many bytes that takes. */
async function storeAnswer(
  once: WriteRequest,
  db: Transaction,
  { hash, answer }: { hash: string; answer: keys.KeptAnswer },
): Promise<number> {
  const kept = isSecret(once, answer) ? { status: answer.status, body: '', headers: [] } : answer
  const sealed = await keys.sealAnswer(once.dependencies.secretFor, kept)
  if (sealed.length > keys.MAX_ANSWER_BYTES) throw new Error('The answer of a write is too large to be kept')
  const fingerprint = (await fingerprintOf(once)) ?? ''
  await queries.updateKept(db, hash, { fingerprint, answer: sealed, expiresAt: after(once.now, keptSeconds(answer)) })
  return sealed.length
}

/** Another write with this key is waited for: it may be on its way in another process. */
async function takeKey({ owner, now }: WriteRequest, db: Transaction, hash: string): Promise<boolean> {
  const key = { hash, accountId: owner.accountId, createdAt: now, expiresAt: after(now, keys.KEPT_SECONDS) }
  await waitForLocks(db, { atMostMilliseconds: keys.PATIENCE_MILLISECONDS })
  const isFree = await queries.takeKey(db, key).catch((error: unknown) => {
    throw outageOf(error)?.kind === 'busy' ? keys.stillRunning() : error
  })
  await waitForLocks(db, 'as usual')
  return isFree
}

/** Whether an answer is shown once: it is made, and does not wait for a yes. */
const isSecret = ({ isShownOnce }: WriteRequest, { status }: keys.KeptAnswer): boolean => isShownOnce && status !== 202

const REPLAYED: [string, string] = ['Idempotency-Replayed', 'true']

/** The answer of the first time; undefined where there was none yet. */
async function replay(once: WriteRequest, hash: string): Promise<keys.KeptAnswer | undefined> {
  const { db, secretFor } = once.dependencies
  const kept = await queries.findKept(db, hash, once.now)
  if (!kept) return undefined
  const given = await fingerprintOf(once)
  if (given === undefined) return undefined
  if (given !== kept.fingerprint) throw keys.reused()
  const answer = await keys.unsealAnswer(secretFor, kept.answer)
  if (isSecret(once, answer)) throw keys.shownBefore()
  return { ...answer, headers: [...answer.headers, REPLAYED] }
}

/** Of the answer to a request alone: it has its own at each one. */
const OF_THE_REQUEST = /^(set-cookie|ratelimit|ratelimit-policy|dpop-nonce)$/i

const keptOf = (answer: keys.KeptAnswer): keys.KeptAnswer => ({
  ...answer,
  headers: answer.headers.filter(([name]) => !OF_THE_REQUEST.test(name)),
})

const isRefusal = (error: unknown): boolean => error instanceof Problem && statusOf[error.code] < 500

class KeptWrite {
  readonly #once: WriteRequest
  readonly #ledger: Ledger
  readonly #request: RequestTransaction
  readonly #afterwards: (() => Promise<unknown>)[] = []
  /** Whether another request was first. */
  #isTaken = false

  constructor(once: WriteRequest, ledger: Ledger) {
    this.#once = once
    this.#ledger = ledger
    this.#request = new RequestTransaction(once.dependencies.db, { onBegin: (db) => this.#take(db) })
  }

  async run(): Promise<keys.KeptAnswer> {
    let answer: keys.KeptAnswer
    try {
      answer = await this.#make()
    } catch (error) {
      return this.#afterError(error)
    }
    return this.#finish(answer)
  }

  async #make(): Promise<keys.KeptAnswer> {
    const { blobs } = this.#once.dependencies
    const { db, apart } = this.#request
    const afterCommit = async (work: () => Promise<unknown>) => void this.#afterwards.push(work)
    const answer = await this.#once.perform({ db, apart, blobs, afterCommit })
    await this.#request.commit((transaction) => this.#ledger.keep(transaction, keptOf(answer)))
    return answer
  }

  /** Does what follows the commit. The answer says how that ended, now and when the request is sent again. */
  async #finish(made: keys.KeptAnswer): Promise<keys.KeptAnswer> {
    const { dependencies, textOf } = this.#once
    const transaction = () => dependencies.db.transaction()
    let output: unknown
    try {
      output = await this.#doAfterwards()
    } catch (error) {
      if (isRefusal(error)) await transaction().execute((db) => this.#ledger.free(db))
      throw error
    }
    if (output === undefined) return made
    const answer = { ...made, body: textOf(output) }
    await transaction().execute((db) => this.#ledger.replace(db, keptOf(answer)))
    return answer
  }

  async #take(db: Transaction): Promise<void> {
    if (await this.#ledger.take(db)) return
    this.#isTaken = true
    throw keys.stillRunning()
  }

  /** Gives the output of the last of it that has one. */
  async #doAfterwards(): Promise<unknown> {
    let output: unknown
    for (const work of this.#afterwards) output = (await work()) ?? output
    return output
  }

  /** What was refused is not kept: the same request may be sent again. An error of the server undoes everything. */
  async #afterError(error: unknown): Promise<keys.KeptAnswer> {
    const isRefused = isRefusal(error)
    if (isRefused && this.#request.hasKept) {
      // A refusal may have written something, such as a try that counts.
      await this.#request.commit((db) => this.#ledger.free(db))
      await this.#doAfterwards()
    } else await this.#request.rollback()
    const answer = isRefused || this.#isTaken ? await this.#ledger.replay() : undefined
    if (answer) return answer
    throw error
  }
}
