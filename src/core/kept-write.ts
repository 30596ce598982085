// A write with an answer that is stored in its transaction: for a request with an idempotency key, or for a pending act that its account
// has agreed to. So the write is made once, however often and wherever it is begun.
import { countKey } from '../budgets/keys.ts'
import { Problem, statusOf } from '../contract/problem.ts'
import { waitForLocks } from '../database/prepared.ts'
import { RequestTransaction } from '../database/request-transaction.ts'
import type { Transaction } from '../database/schema.ts'
import type { Acting } from '../request/acting.ts'
import * as keys from '../request/idempotency.ts'
import * as queries from '../request/idempotency-queries.ts'
import { after } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { outageOf } from '../runtime/outage.ts'
import type { Once } from './write-request.ts'

/** Where the answer of a write is stored. */
interface Ledger {
  /** Takes the place of the answer, first in the transaction; false where another one has it. */
  take(db: Transaction): Promise<boolean>
  /** Stores the answer, last in it. */
  keep(db: Transaction, answer: keys.KeptAnswer): Promise<void>
  /** Frees the place, where the write was refused. */
  free(db: Transaction): Promise<void>
  /** The answer of the first time; undefined where there was none yet. */
  replay(): Promise<keys.KeptAnswer | undefined>
}

/** Runs the handler once for a key: the same request gets its answer again, another one is refused. */
export async function performOnce(once: Once, key: string): Promise<keys.KeptAnswer> {
  const ledger = keyLedger(once, keys.hashOfKey(once.owner, key))
  return (await ledger.replay()) ?? new KeptWrite(once, ledger).run()
}

/** Makes an act that was agreed to. */
export const performActing = (once: Once, { take, keep }: Acting): Promise<keys.KeptAnswer> =>
  new KeptWrite(once, { take, keep, free: async () => {}, replay: async () => undefined }).run()

/** Undefined where the body cannot be read. */
async function fingerprintOf({ sent: { operation, url, body } }: Once): Promise<string | undefined> {
  const print = await body.fingerprint()
  const { pathname, search } = new URL(url)
  return print === undefined ? undefined : sha256([operation, pathname, search, print].join('\n'))
}

/** The answer to a write that waits for a yes is kept for as long as that may wait, so that a second try asks no second time. */
const keptSeconds = ({ status }: keys.KeptAnswer) => (status === 202 ? keys.KEPT_WAITING_SECONDS : keys.KEPT_SECONDS)

const keyLedger = (once: Once, hash: string): Ledger => ({
  take: (db) => takeKey(once, db, hash),
  async keep(db, answer) {
    const { dependencies, owner, now } = once
    const kept = isSecret(once, answer) ? { status: answer.status, body: '', headers: [] } : answer
    const sealed = await keys.sealAnswer(dependencies.secretFor, kept)
    if (sealed.length > keys.MAX_ANSWER_BYTES) throw new Error('The answer of a write is too large to be kept')
    const fingerprint = (await fingerprintOf(once)) ?? ''
    await queries.updateKept(db, hash, { fingerprint, answer: sealed, expiresAt: after(now, keptSeconds(answer)) })
    if (!dependencies.config.rateLimits) return
    await countKey(db, { owner: sha256(keys.hashOfKey(owner, '')), bytes: sealed.length, now })
  },
  free: (db) => queries.deleteKey(db, hash),
  replay: () => replay(once, hash),
})

/** Another write with this key is waited for: it may be on its way in another process. */
async function takeKey({ owner, now }: Once, db: Transaction, hash: string): Promise<boolean> {
  const key = { hash, accountId: owner.accountId, createdAt: now, expiresAt: after(now, keys.KEPT_SECONDS) }
  await waitForLocks(db, { atMostMilliseconds: keys.PATIENCE_MILLISECONDS })
  const isFree = await queries.takeKey(db, key).catch((error: unknown) => {
    throw outageOf(error)?.kind === 'busy' ? keys.stillRunning() : error
  })
  await waitForLocks(db, 'as usual')
  return isFree
}

/** Whether an answer is shown once: it is made, and does not wait for a yes. */
const isSecret = ({ isShownOnce }: Once, { status }: keys.KeptAnswer): boolean => isShownOnce && status !== 202

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
  if (isSecret(once, answer)) throw keys.shownBefore()
  return { ...answer, headers: [...answer.headers, REPLAYED] }
}

/** Of the answer to a request alone: it has its own at each one. */
const OF_THE_REQUEST = /^(set-cookie|ratelimit|ratelimit-policy|dpop-nonce)$/i

class KeptWrite {
  readonly #once: Once
  readonly #ledger: Ledger
  readonly #request: RequestTransaction
  readonly #afterwards: (() => Promise<void>)[] = []
  /** Whether another request was first. */
  #isTaken = false

  constructor(once: Once, ledger: Ledger) {
    this.#once = once
    this.#ledger = ledger
    this.#request = new RequestTransaction(once.dependencies.db, { onBegin: (db) => this.#take(db) })
  }

  async run(): Promise<keys.KeptAnswer> {
    try {
      const { blobs } = this.#once.dependencies
      const { db, apart } = this.#request
      const afterCommit = async (work: () => Promise<void>) => void this.#afterwards.push(work)
      const answer = await this.#once.perform({ db, apart, blobs, afterCommit })
      const headers = answer.headers.filter(([name]) => !OF_THE_REQUEST.test(name))
      await this.#request.commit((transaction) => this.#ledger.keep(transaction, { ...answer, headers }))
      await this.#finish()
      return answer
    } catch (error) {
      return this.#afterError(error)
    }
  }

  async #take(db: Transaction): Promise<void> {
    if (await this.#ledger.take(db)) return
    this.#isTaken = true
    throw keys.stillRunning()
  }

  async #finish(): Promise<void> {
    for (const work of this.#afterwards) await work()
  }

  /** What was refused is not kept: the same request may be sent again. An error of the server undoes everything. */
  async #afterError(error: unknown): Promise<keys.KeptAnswer> {
    const isRefusal = error instanceof Problem && statusOf[error.code] < 500
    if (isRefusal && this.#request.hasKept) {
      // A refusal may have written something, such as a try that counts.
      await this.#request.commit((db) => this.#ledger.free(db))
      await this.#finish()
    } else await this.#request.rollback()
    const answer = isRefusal || this.#isTaken ? await this.#ledger.replay() : undefined
    if (answer) return answer
    throw error
  }
}
