// Budgets for requests without an account: mails that a request causes, clients that register, and cosignatures of the log. Counted by
// network, the first two in total too; sign-ups by network and address; mails by address too, the same for known and unknown addresses.
import type { BudgetStanding } from '../contract/budget.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { sha256 } from '../runtime/hash.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'
import { assertRoom, type Counter, countAll } from './counting.ts'
import { addressKey, networkOf, subnetOf } from './network.ts'
import { type Budgets, type Rate, windowWord, wordsOf } from './rules.ts'

interface Cause {
  config: { rateLimits: boolean; budgets: Budgets }
  now: string
  address: string
}

type What = 'mails' | 'registrations' | 'cosignatures' | 'signups'

function countersOf(
  what: What,
  scope: string,
  { of, rates, where }: { of: string; rates: readonly Rate[]; where: string },
) {
  return rates.map(
    (rate): Counter => ({
      key: `${what}:${scope}:${of}:${rate.windowSeconds}`,
      policy: `${what}-${scope}-${windowWord(rate.windowSeconds)}`,
      rate,
      sentence: () => `Too many ${wordsOf[what]} ${where}`,
      ...(scope === 'all' && { shared: true }),
    }),
  )
}

/** Nothing in total: others could use that up, and a witness could not sign. */
const ofCosignatures = ({ config: { budgets }, address }: Cause): Counter[] => {
  const { network: rates } = budgets.cosignatures
  return countersOf('cosignatures', 'network', { of: networkOf(address), rates, where: 'from your network' })
}

/** The limits of a network, none of which is more than its share of what all have. */
function ofNetwork(network: readonly Rate[], all: readonly Rate[]): Rate[] {
  const windows = new Set([...network, ...all].map(({ windowSeconds }) => windowSeconds))
  return [...windows].map((windowSeconds) => {
    const counts = (rates: readonly Rate[]) => rates.filter((rate) => rate.windowSeconds === windowSeconds)
    const most = [...counts(network), ...counts(all).map((rate) => ({ count: shareOfNetwork(rate.count) }))]
    return { windowSeconds, count: Math.min(...most.map(({ count }) => count)) }
  })
}

function common(what: 'mails' | 'registrations', { config: { budgets }, address }: Cause): Counter[] {
  const { network, all } = budgets[what]
  return [
    ...countersOf(what, 'network', {
      of: networkOf(address),
      rates: ofNetwork(network, all),
      where: 'from your network',
    }),
    ...countersOf(what, 'all', { of: 'all', rates: all, where: 'at the moment' }),
  ]
}

/** Counts a call, unless limits are off; throws `rate_limited` when there were too many. */
async function count({ config, now }: Cause, db: Transaction, counters: () => Counter[]): Promise<BudgetStanding[]> {
  const standings = config.rateLimits ? await countAll(db, counters(), now) : []
  return standings.filter(({ shared }) => !shared)
}

/** Counts a mail to `recipient` that a request causes, before anything reveals whether the address is known. */
export const countMail = (cause: Cause, db: Transaction, recipient: string): Promise<BudgetStanding[]> =>
  count(cause, db, () => {
    // A hash has a fixed length, and keeps addresses out of the table of counts.
    const of = sha256(`mail ${recipient}`).slice(0, 32)
    const rates = cause.config.budgets.mails.address
    return [...countersOf('mails', 'address', { of, rates, where: 'to this address' }), ...common('mails', cause)]
  })

/** Counts a mail that the owner of an address causes, by network and in total: the address has a separate limit for them. */
export const countOwnMail = (cause: Cause, db: Transaction): Promise<BudgetStanding[]> =>
  count(cause, db, () => common('mails', cause))

/** An IPv4 address is often that of an office; a /64 is a home. */
function ofSignUps({ config: { budgets }, address }: Cause): Counter[] {
  const { network, address: ofAddress, subnet } = budgets.signups
  const isHome = subnetOf(address) !== undefined
  const near = { of: addressKey(address), rates: isHome ? subnet : ofAddress, where: 'from your address' }
  return [
    ...countersOf('signups', isHome ? 'subnet' : 'address', near),
    ...countersOf('signups', 'network', { of: networkOf(address), rates: network, where: 'from your network' }),
  ]
}

/** Counts a sign-up, before anything reveals whether the address has an account. */
export const countSignUp = (cause: Cause, db: Transaction): Promise<BudgetStanding[]> =>
  count(cause, db, () => ofSignUps(cause))

/** Counts a client that registers, in the transaction that stores it. */
export const countRegistration = (cause: Cause, db: Transaction): Promise<BudgetStanding[]> =>
  count(cause, db, () => common('registrations', cause))

/** Throws the error of `countRegistration`, before expensive work. */
export async function assertRegistrationRoom(cause: Cause, db: Db): Promise<void> {
  if (cause.config.rateLimits) await assertRoom(db, common('registrations', cause), cause.now)
}

/** Counts a cosignature, in the transaction that stores it. */
export const countCosignature = (cause: Cause, db: Transaction): Promise<BudgetStanding[]> =>
  count(cause, db, () => ofCosignatures(cause))

/** Throws the error of `countCosignature`, before a signature is looked at. */
export async function assertCosignatureRoom(cause: Cause, db: Db): Promise<void> {
  if (cause.config.rateLimits) await assertRoom(db, ofCosignatures(cause), cause.now)
}
