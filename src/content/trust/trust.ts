// Weighs accounts: each once a day, and after an act of moderators. A request reads the stored level with its caller.
import { levelOf, type TrustFacts, type TrustLevel, type TrustRule } from '../../contract/trust.ts'
import type { Db } from '../../database/schema.ts'
import { updateUser } from '../../identity/account-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import * as queries from './queries.ts'

const DAY = 86_400
/** For so long what moderators found lowers a level. */
const REMEMBERED = 90 * DAY
const AT_ONCE = 50

type Account = Awaited<ReturnType<typeof queries.listAccounts>>[number]

/** Weighs some accounts that are due. Gives whether there may be more. */
export async function weighSome({
  db,
  clock,
  config,
}: Pick<Dependencies, 'db' | 'clock' | 'config'>): Promise<boolean> {
  const rule = config.trust
  if (!rule) return false
  const now = timestamp(clock.now())
  const ids = await queries.listDue(db, { before: after(now, -DAY), limit: AT_ONCE })
  const weighed: { id: string; trust: TrustLevel }[] = []
  for (const account of await queries.listAccounts(db, ids)) {
    weighed.push({ id: account.id, trust: await weigh(db, rule, { account, now }) })
  }
  await db.transaction().execute(async (transaction) => {
    for (const { id, trust } of weighed) await updateUser(transaction, id, { trust, trustAt: now })
  })
  return ids.length === AT_ONCE
}

async function weigh(
  db: Db,
  rule: TrustRule,
  { account, now }: { account: Account; now: string },
): Promise<TrustLevel> {
  const { id, role, createdAt } = account
  const days = Math.floor((Date.parse(now) - Date.parse(createdAt)) / (DAY * 1000))
  const own = {
    isStaff: role !== 'member',
    verified: account.emailVerifiedAt !== null,
    blocked: account.blockedAt !== null,
  }
  const best: TrustFacts = { ...own, days, active: Infinity, written: Infinity, thanks: Infinity, upheld: 0 }
  // Most accounts have a level by what they are: then nothing is counted.
  if (own.isStaff || levelOf(rule, best) === 0) return levelOf(rule, best)
  const most = Math.max(...rule.thresholds.map(({ thanks }) => thanks))
  const { written, active } = await queries.countWritten(db, id)
  const upheld = await queries.countUpheld(db, id, after(now, -REMEMBERED))
  const thanks = await queries.countThanking(db, id, most)
  return levelOf(rule, { ...own, days, active, written, thanks, upheld })
}
