// Reporting whether a version worked, and reading what reporters wrote.
import { sharingNetworkOf } from '../../budgets/network.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { keyedHash } from '../../runtime/hash.ts'
import { errorClasses } from '../items/item-contract.ts'
import { noSuchItem } from '../items/queries.ts'
import { isHolder, isListed } from '../items/rules.ts'
import { keepVersion, listTexts, markStale, putOutcome } from '../outcome-figures/queries.ts'
import { weightOf } from '../outcome-figures/rules.ts'
import { getVersion, getVisible, refOf, type SeenItem } from '../records/record.ts'
import type { outcomes } from './contract.ts'
import { dayOf } from './counting.ts'
import { hasDownloaded, outcomeSecret } from './downloaded.ts'

/** Whether an account publishes versions of an item, or may: it neither reports on it nor is kept from what reporters wrote. */
const publishes = (caller: Caller, item: SeenItem): boolean => isHolder(caller, item) || item.role !== undefined

export const outcomesHandlers: Handlers<typeof outcomes> = {
  async report(context, { item: name, version: asked, outcome, error, client_version: clientVersion, ...given }) {
    const { db, caller, budget, now } = context
    const item = await getVisible(context, refOf(name))
    if (publishes(caller, item)) throw new Problem('forbidden', 'Those who publish an item do not report on it')
    if (!isListed(item)) throw noSuchItem()
    const { version, number } = await getVersion(context, item, asked)
    if (!(await hasDownloaded(context, { accountId: caller.id, itemId: item.id, version })))
      throw new Problem('forbidden', 'Only accounts that downloaded this version in the last 90 days can report on it')
    const day = dayOf(now)
    const key = { itemId: item.id, number }
    const { os = null, arch = null, client = null, text = null } = given
    const row = {
      ...{ ...key, day, accountId: caller.id, outcome, error: (outcome === 'failed' && error) || null },
      ...{ os, arch, client: client || null, clientVersion: clientVersion || null, text: text || null },
      ...(await keysOf(context, [...Object.values(key), day])),
      weight: weightOf(caller, context.config.trust, now),
    }
    const replaced = await db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      if (!(await keepVersion(transaction, key))) throw noSuchItem()
      await markStale(transaction, [key], now)
      return putOutcome(transaction, row)
    })
    return { item: item.id, version, day, replaced }
  },

  async outcomeTexts(context, { id, ...request }) {
    const item = await getVisible(context, { id })
    if (!publishes(context.caller, item)) throw new Problem('forbidden', 'Only those who publish an item read reports')
    const list = { list: ['outcomes', id], by: { day: '', id: '' } }
    const { items, nextCursor } = await pageOfRows({ cursor: '', ...request, page: 0 }, list, (range) =>
      listTexts(context.db, id, range),
    )
    return {
      items: items.map(({ id: _, clientVersion, text, error, ...row }) => ({
        ...{ ...row, client_version: clientVersion, text: text ?? '' },
        error: errorClasses.find((one) => one === error) ?? null,
      })),
      ...(nextCursor !== undefined && { nextCursor }),
    }
  },
}

/** The key of the report, and that of its network: what comes from this machine has none, so each account is one. */
async function keysOf(context: Context<Caller>, of: readonly (string | number)[]) {
  const { caller, address } = context
  const secret = await outcomeSecret(context)
  const network = sharingNetworkOf(address) ?? `account ${caller.id}`
  return {
    id: keyedHash(secret, caller.id, 'outcome', ...of.map(String)),
    network: keyedHash(secret, network, 'outcome network'),
  }
}
