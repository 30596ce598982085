// Budgets for requests without an account: mails that a request causes, and clients that register. Counted by network and in total;
// mails by address too, the same for known and unknown addresses.
import type { Standing } from '../contract/budget.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { sha256 } from '../runtime/hash.ts'
import { assertRoom, type Counter, countAll } from './counting.ts'
import { networkOf } from './network.ts'
import { type Budgets, type Rate, windowWord, wordsOf } from './rules.ts'

interface Cause {
  config: { rateLimits: boolean; budgets: Budgets }
  now: string
  address: string
}

type What = 'mails' | 'registrations'

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

function common(what: What, { config: { budgets }, address }: Cause): Counter[] {
  const { network, all } = budgets[what]
  return [
    ...countersOf(what, 'network', { of: networkOf(address), rates: network, where: 'from your network' }),
    ...countersOf(what, 'all', { of: 'all', rates: all, where: 'at the moment' }),
  ]
}

/**
 * Counts a mail to `recipient` that a request causes, before anything reveals whether the address is known; throws `rate_limited`
 * when there were too many.
 */
export async function countMail(cause: Cause, db: Transaction, recipient: string): Promise<Standing[]> {
  const { config, now } = cause
  if (!config.rateLimits) return []
  // A hash is of one length, and keeps addresses out of the table of counts.
  const of = sha256(`mail ${recipient}`).slice(0, 32)
  const rates = config.budgets.mails.address
  const toAddress = countersOf('mails', 'address', { of, rates, where: 'to this address' })
  const standings = await countAll(db, [...toAddress, ...common('mails', cause)], now)
  return standings.filter(({ shared }) => !shared)
}

/** Counts a mail that the owner of an address causes, by network and in total: the address has a separate limit for them. */
export async function countOwnMail(cause: Cause, db: Transaction): Promise<Standing[]> {
  if (!cause.config.rateLimits) return []
  const standings = await countAll(db, common('mails', cause), cause.now)
  return standings.filter(({ shared }) => !shared)
}

/** Counts a client that registers, in the transaction that stores it. */
export async function countRegistration(cause: Cause, db: Transaction): Promise<Standing[]> {
  if (!cause.config.rateLimits) return []
  const standings = await countAll(db, common('registrations', cause), cause.now)
  return standings.filter(({ shared }) => !shared)
}

/** Throws the error of `countRegistration`, before expensive work. */
export async function assertRegistrationRoom(cause: Cause, db: Db): Promise<void> {
  if (cause.config.rateLimits) await assertRoom(db, common('registrations', cause), cause.now)
}
