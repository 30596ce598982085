// The budget of one call of an operation: asked before its body is read, counted in the transaction of its write.
import type { BudgetName, BudgetStanding, WriteBudget } from '../contract/budget.ts'
import { Problem } from '../contract/problem.ts'
import { rightsOf, type TrustRule } from '../contract/trust.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { NETWORK_SHARE } from '../runtime/network-share.ts'
import { required } from '../runtime/untyped.ts'
import {
  assertRoom,
  type Claim,
  type Counter,
  countEach,
  type ExhaustedBudgets,
  OverBudget,
  readAll,
} from './counting.ts'
import { networkOf } from './network.ts'
import { findRooms, groupsOf, lockOf, lockOwn, type Newcomers } from './newcomers.ts'
import { findStoredBytes, lockStoredBytes } from './queries.ts'
import {
  type Budgets,
  bytesInWords,
  HOUR,
  isWrite,
  type Rate,
  ratesInWords,
  storesBytes,
  windowWord,
  wordsOf,
} from './rules.ts'
import { PLACES, type Room } from './uploads.ts'

/** The account of a call, with what its budgets depend on. */
export interface Spender {
  id: string
  role: string
  /** Whether its email address is verified. */
  verified: boolean
  createdAt: string
  /** What its own figures are multiplied by, where levels of trust are on. */
  factor?: number | undefined
}

/** An account with what its level of trust makes of its budgets. */
export const spenderOf = <Account extends Spender>(
  account: Account & { trust?: number },
  { trust }: { trust: TrustRule | undefined },
): Spender => (trust ? { ...account, factor: rightsOf(trust, account.trust)?.budgets } : account)

export type Tier = 'verified' | 'unverified'

/** Undefined for admins, who are exempt. */
export function tierOf({ role, verified, createdAt }: Spender, budgets: Budgets, now: string): Tier | undefined {
  if (role === 'admin') return undefined
  const age = (Date.parse(now) - Date.parse(createdAt)) / 1000
  return verified && age >= budgets.youngSeconds ? 'verified' : 'unverified'
}

/** The budget that is counted, for accounts of a tier. */
interface TierBudget {
  name: WriteBudget
  tier: Tier
}

/** The account's own counters of a budget. */
export function accountCounters(
  budgets: Budgets,
  { name, tier }: TierBudget,
  { id, verified, factor = 1 }: Spender,
): Counter[] {
  const hint = tier === 'verified' ? '' : verified ? ' for a new account' : ' until your email is verified'
  return budgets[name][tier].map(scaledBy(factor)).map((rate) => ({
    key: `${name}:account:${rate.windowSeconds}:${id}`,
    policy: `${name}-${windowWord(rate.windowSeconds)}`,
    rate,
    sentence: () => `At most ${inWords(name, rate)}${hint}`,
  }))
}

const scaledBy =
  (factor: number) =>
  ({ count, windowSeconds }: Rate): Rate => ({
    count: Math.max(Math.min(count, 1), Math.floor(count * factor)),
    windowSeconds,
  })

/** Verified and unverified accounts of a network have separate shares: the latter cannot use up the share of the former. */
function networkCounters(budgets: Budgets, { name, tier }: TierBudget, network: string): Counter[] {
  return budgets[name][tier].map(({ count, windowSeconds }) => {
    const rate = { count: count * NETWORK_SHARE, windowSeconds }
    return {
      key: `${name}:network:${tier}:${windowSeconds}:${network}`,
      policy: `${name}-network-${windowWord(windowSeconds)}`,
      rate,
      sentence: () => `At most ${inWords(name, rate)} from one network`,
      shared: true,
    }
  })
}

const inWords = (name: WriteBudget, rate: Rate) => {
  const [count, ...window] = ratesInWords([rate]).split(' ')
  return `${count} ${wordsOf[name]} ${window.join(' ')}`
}

interface Call {
  /** Undefined where budgets are lifted. */
  budgets: Budgets | undefined
  name: BudgetName | undefined
  spender: Spender | undefined
  address: string
  now: string
  exhausted: ExhaustedBudgets
  secretFor: SecretFor
}

/** The counting functions that a handler gets. */
export interface Budget {
  /**
   * Counts this call, and checks that the account has room for `bytes` more, or another one whose they will be. Call it in the transaction of the write, after taking
   * the locks of the write, and before its first change.
   */
  spend(db: Transaction, bytes?: number, holderId?: string): Promise<void>
  /** What this call counts, where several are counted together (`countEach`). */
  claim(): Claim
  /** The outcome of that, once it is committed: throws the error of a call that is refused. */
  settle(outcome: readonly BudgetStanding[] | OverBudget): void
  /** Adds a budget that is held elsewhere to the headers of the answer. */
  note(standings: readonly BudgetStanding[]): void
}

/** For an operation without a budget. */
export const noBudget: Budget = {
  async spend() {},
  claim: () => ({ counters: [], now: '' }),
  settle() {},
  note() {},
}

export class CallBudget implements Budget {
  readonly #call: Call
  readonly #counters: readonly Counter[]
  /** The most bytes the account may store, where the call stores any. */
  readonly #quota: number
  /** Whether what the call brings counts towards the bytes of an account. */
  readonly #isStored: boolean
  readonly #tier: Tier | undefined
  #standings: readonly BudgetStanding[] = []
  #counted = false

  constructor(call: Call) {
    this.#call = call
    const { budgets, name, spender, address, now } = call
    const tier = budgets && name && spender && tierOf(spender, budgets, now)
    this.#tier = budgets && spender && tierOf(spender, budgets, now)
    this.#isStored = tier !== undefined && storesBytes[required(name)] === true
    this.#quota = tier && this.#isStored ? budgets.bytes[tier] : Number.POSITIVE_INFINITY
    this.#counters =
      tier && isWrite(name)
        ? [
            ...accountCounters(budgets, { name, tier }, spender),
            ...networkCounters(budgets, { name, tier }, networkOf(address)),
          ]
        : []
  }

  /** Refuses a call that is known to be over budget before its body is read; advisory, checked again under the lock. */
  async precheck(db: Db, { reads }: { reads: boolean }): Promise<void> {
    this.#call.exhausted.check(this.#counters, this.#call.now)
    if (!reads) return
    await assertRoom(db, this.#counters, this.#call.now)
    if (this.#quota === Number.POSITIVE_INFINITY) return
    const bytes = await findStoredBytes(db, required(this.#call.spender).id)
    if (bytes >= this.#quota) throw this.#tooMuch(bytes)
  }

  /** How many uploads of the account are read at once. */
  get places(): number {
    const { budgets, spender } = this.#call
    return PLACES[budgets && !spender ? 'unverified' : (this.#tier ?? 'verified')]
  }

  /** Who shares the room for uploads with this account: the unverified accounts of its network. */
  get groups(): readonly string[] {
    return this.#newcomers ? groupsOf(this.#call.address) : []
  }

  /** How much of uploads may lie on our disk: what is left of the quota, or all of it where nothing will be stored; and of what it shares. */
  async findRooms(db: Db, owner: string): Promise<Room[]> {
    const { budgets, spender } = this.#call
    const quota = budgets && this.#tier ? budgets.bytes[this.#tier] : Number.POSITIVE_INFINITY
    const stored = spender && this.#isStored ? await findStoredBytes(db, spender.id) : 0
    const own = { of: owner, bytes: quota - stored, refuse: () => this.#tooMuch(stored, quota) }
    if (!this.#newcomers) return [own]
    const storing = spender && this.#isStored ? { accountId: spender.id, stored, bytes: 0 } : undefined
    return [own, ...(await findRooms(db, this.#newcomers, storing))]
  }

  /** The accounts that the caller shares room with; undefined for a verified one, and an admin. */
  get #newcomers(): Newcomers | undefined {
    return this.#tier && this.#call.spender?.verified === false ? this.#shares() : undefined
  }

  #shares(): Newcomers {
    const { budgets, address, secretFor } = this.#call
    return { budgets: required(budgets), address, secretFor }
  }

  async spend(db: Transaction, bytes = 0, holderId?: string): Promise<void> {
    const [outcome] = await countEach(db, [this.claim()])
    this.settle(required(outcome))
    if (bytes <= 0 || !this.#isStored) return
    const { id } = required(this.#call.spender)
    const accountId = holderId ?? id
    const together = await (accountId === id
      ? this.#newcomers && lockOwn(db, this.#newcomers)
      : lockOf(db, this.#shares(), accountId))
    const stored = (await lockStoredBytes(db, accountId)).bytes
    if (stored + bytes > this.#quota) throw this.#tooMuch(stored)
    await together?.store(db, { accountId, stored, bytes })
    if (Number.isFinite(this.#quota)) this.note([this.#standing(stored + bytes)])
  }

  claim(): Claim {
    this.#counted = true
    return { counters: this.#counters, now: this.#call.now }
  }

  settle(outcome: readonly BudgetStanding[] | OverBudget): void {
    if (outcome instanceof OverBudget) {
      this.#call.exhausted.remember(outcome.full, this.#call.now)
      throw outcome
    }
    this.note(outcome)
  }

  note(standings: readonly BudgetStanding[]): void {
    this.#standings = [...this.#standings, ...standings]
  }

  /** A handler that forgot to count is a bug that tests find. */
  assertCounted(): void {
    if (this.#counters.length > 0 && !this.#counted) throw new Error(`${this.#call.name} was not counted`)
  }

  /** For the headers of a response: the counted values, or else the values known now. */
  async standings(db: Db): Promise<readonly BudgetStanding[]> {
    if (this.#standings.length > 0) return this.#standings.filter(({ shared }) => !shared)
    const own = this.#counters.filter(({ shared }) => !shared)
    return own.length === 0 ? [] : readAll(db, own, this.#call.now)
  }

  #standing(bytes: number, quota = this.#quota): BudgetStanding {
    return { policy: 'bytes', quota, remaining: Math.max(0, quota - bytes), unit: 'content-bytes' }
  }

  /** Waiting alone does not help; an automatic retry happens once an hour at most. */
  #tooMuch(bytes: number, quota = this.#quota): Problem {
    const { budgets } = this.#call
    const stores = `This account stores ${bytesInWords(bytes)} of at most ${bytesInWords(quota)}`
    const remove = `${stores}; remove something you uploaded`
    const mayVerify = quota < required(budgets).bytes.verified
    return new Problem('rate_limited', mayVerify ? `${remove}, or verify your email for more room` : remove, {
      retryAfterSeconds: HOUR,
      standings: [this.#standing(bytes, quota)],
    })
  }
}
