// Whom a write would tell, found out in the transaction of a dry run: the rules of the delivery, without its locks and its rows.
import type { Db } from '../../database/schema.ts'
import { listWanting } from '../webhooks/queue.ts'
import { followersOf, mentionedIn } from './delivery.ts'
import { listCausedSince } from './event-queries.ts'

/** No more followers are counted. */
const MOST = 1_000

/** How many accounts, at most, and how many webhooks hear of what an account has caused since an id. */
export async function foretell(
  db: Db,
  act: { since: string; by: string },
): Promise<{ notifications: number; webhooks: number }> {
  const told = new Set<string>()
  let webhooks = 0
  for (const event of await listCausedSince(db, act)) {
    webhooks += (await listWanting(db, event)).length
    if (event.hidden) continue
    const direct = [...(await mentionedIn(db, event)), ...(event.repliedTo === null ? [] : [event.repliedTo])]
    for (const id of [...direct, ...(await followersOf(db, event, MOST))]) told.add(id)
  }
  told.delete(act.by)
  return { notifications: told.size, webhooks }
}
