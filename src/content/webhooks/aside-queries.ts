// Deliveries of what is gone, hidden or of a blocked account: they go, or are left out until it shows again.
import { type RawBuilder, sql } from 'kysely'
import { deliveryStates } from '../../contract/states.ts'
import { locksRows } from '../../database/engine.ts'
import type { EventTable, Transaction } from '../../database/schema.ts'
import { stepsOf } from '../../database/states.ts'
import { isOfBlock } from '../hiding/rules.ts'

/** Before the state of what is left out. */
const ASIDE = 'taken:'

/** Locks the webhooks of deliveries before these, in the order of their ids: so does what sends them, and they are woken later. */
async function lockWebhooksOf(db: Transaction, those: RawBuilder<boolean>): Promise<void> {
  if (!locksRows(db)) return
  await sql`select id from webhook where id in (select "webhookId" from "webhookDelivery" where ${those})
    order by id for update`.execute(db)
}

/** Takes away the deliveries of what is gone, but for those that tell so; `hidden` leaves the owner of an item theirs. */
export async function deleteDeliveriesOf(
  db: Transaction,
  {
    kind,
    targetId,
    commentId,
    actorId,
    detail,
  }: Pick<EventTable, 'kind' | 'targetId' | 'commentId' | 'actorId' | 'detail'>,
): Promise<void> {
  if (kind === 'blocked') return void (await setAside(db, sql<boolean>`"actorId" = ${actorId}`))
  if (isOfBlock({ kind, detail })) return void (await setAside(db, onThing({ targetId, commentId })))
  // A block hides what it has left out before.
  const shown = kind === 'hidden' ? sql`hidden = 0 and state not like 'taken:%'` : sql`1 = 1`
  const those = sql<boolean>`"targetId" = ${targetId} and event not like '%.deleted'
    and ${commentId === null ? shown : sql`"commentId" = ${commentId}`}`
  await lockWebhooksOf(db, those)
  await db.deleteFrom('webhookDelivery').where(those).execute()
}

/** The deliveries on a thing or on a comment; the owner of an item keeps those of what others do not see. */
const onThing = ({ targetId, commentId }: Pick<EventTable, 'targetId' | 'commentId'>) =>
  commentId === null
    ? sql<boolean>`"targetId" = ${targetId} and hidden = 0`
    : sql<boolean>`"targetId" = ${targetId} and "commentId" = ${commentId}`

const setAsideSteps = stepsOf(deliveryStates, (state) => (state.startsWith(ASIDE) ? undefined : `${ASIDE}${state}`))
const bringBackSteps = stepsOf(deliveryStates, (state) =>
  state.startsWith(ASIDE) ? state.slice(ASIDE.length) : undefined,
)

/** Leaves deliveries out until the account is unblocked; gives whether there were any. */
async function setAside(db: Transaction, those: RawBuilder<boolean>): Promise<boolean> {
  const { to, may } = setAsideSteps
  await lockWebhooksOf(db, those)
  const { numAffectedRows } = await sql`update "webhookDelivery" set state = ${to}
    where ${those} and ${may} and event not like '%.deleted'`.execute(db)
  return Number(numAffectedRows) > 0
}

const isAccountBlocked = (author: string) =>
  sql`exists (select 1 from "user" b where b.id = ${sql.raw(author)} and b."blockedAt" is not null)`

/** Leaves out a delivery of a blocked account, or on a thing of one; false where that is not why it does not show. */
export const setAsideOfBlocked = (db: Transaction, id: string): Promise<boolean> =>
  setAside(
    db,
    sql<boolean>`id = ${id} and (${isAccountBlocked('"webhookDelivery"."actorId"')}
      or exists (select 1 from "feedEntry" f where f.id = "targetId" and ${isAccountBlocked('f."authorId"')})
      or exists (select 1 from "libraryItem" i where i.id = "targetId" and ${isAccountBlocked('i."ownerId"')}))`,
  )

/** Brings back what was left out while an account was blocked; gives the webhooks that it is for. */
export function bringBackDeliveries(db: Transaction, userId: string): Promise<string[]> {
  return bringBack(
    db,
    sql<boolean>`("actorId" = ${userId}
      or "targetId" in (select id from "feedEntry" where "authorId" = ${userId})
      or "targetId" in (select id from "libraryItem" where "ownerId" = ${userId}))`,
  )
}

/** The same on a thing or a comment that shows again, but for those of accounts that are still blocked. */
export const bringBackDeliveriesOn = (
  db: Transaction,
  on: Pick<EventTable, 'targetId' | 'commentId'>,
): Promise<string[]> =>
  bringBack(db, sql<boolean>`${onThing(on)} and not ${isAccountBlocked('"webhookDelivery"."actorId"')}`)

async function bringBack(db: Transaction, those: RawBuilder<boolean>): Promise<string[]> {
  const { to, may } = bringBackSteps
  await lockWebhooksOf(db, sql<boolean>`${may} and ${those}`)
  const { rows } = await sql<{ webhookId: string }>`update "webhookDelivery" set state = ${to}
    where ${may} and ${those} returning "webhookId"`.execute(db)
  return [...new Set(rows.map(({ webhookId }) => webhookId))]
}
