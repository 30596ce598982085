// Limits on tries of passwords and mailed codes. They count by account and network, so that an attacker cannot lock out an account's
// owner from another network; a known browser of the account has a separate counter.
import { addressKey, countTry, type Limit, networkOf, uncountTry } from '../budgets/budgets.ts'
import { countSignUp } from '../budgets/caused.ts'
import type { Context } from '../request/handler.ts'
import { findKnownBrowser } from './browsers.ts'
import { limits } from './rules.ts'

/** Counts a try at this key, unless limits are off: in the caller's transaction, or apart from what the caller goes on to write. */
export async function limit({ config, db, apart, now }: Context, key: string, limit: Limit): Promise<void> {
  if (config.rateLimits) await countTry(db.isTransaction ? db : apart, { key, limit, now })
}

/**
 * Counts a guess at the password of an address before it is checked, so concurrent guesses are all counted. A right one does not
 * count: call `wasRight`.
 */
export async function countGuess(context: Context, email: string): Promise<{ wasRight(): Promise<void> }> {
  const { db, config, address } = context
  const browser = await findKnownBrowser(context, email)
  const counted: [key: string, limit: Limit][] = browser
    ? [[`password:${email}:browser:${browser}`, limits.wrongPasswords]]
    : [
        [`password:${email}:network:${networkOf(address)}`, limits.wrongPasswords],
        [`password:${email}`, limits.wrongPasswordsAnywhere],
        [`sign-in:${addressKey(address)}`, limits.signInByAddress],
        [`sign-in:network:${networkOf(address)}`, limits.signInByNetwork],
      ]
  for (const [key, its] of counted) await limit(context, key, its)
  return {
    async wasRight() {
      if (config.rateLimits) for (const [key] of counted) await uncountTry(db, key)
    },
  }
}

/** Counts a mailed code that is tried, by address and by network. The code itself allows five tries. */
export async function countCodeTry(context: Context, email: string): Promise<void> {
  const { address } = context
  const browser = await findKnownBrowser(context, email)
  if (browser) return limit(context, `sign-in:browser:${browser}`, limits.signInByAddress)
  await limit(context, `sign-in:${addressKey(address)}`, limits.signInByAddress)
  await limit(context, `sign-in:network:${networkOf(address)}`, limits.signInByNetwork)
}

/** Counts a sign-up that is tried, also of an address that has an account, by network and address. */
export async function countNewSignUp(context: Context): Promise<void> {
  const { db, apart } = context
  await (db.isTransaction ? db : apart).transaction().execute((transaction) => countSignUp(context, transaction))
}
