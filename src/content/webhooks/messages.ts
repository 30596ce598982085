// What is sent for a delivery. That of a webhook is as it was stored; that of a subscription is looked at again, and says how far its agent has got.
import type { Dependencies } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { findBoard } from '../board-access/boards.ts'
import { controlId, SUBSCRIPTION_HEADER } from './callback.ts'
import { chatBody } from './chat-formats.ts'
import { valuesOf } from './chat-template.ts'
import { cursorAt } from './event-rules.ts'
import type { WebhookRecord } from './queries.ts'
import { findBoardId, type findDueDelivery, isStillShown } from './sending-queries.ts'
import { mayHear, subscriberOf } from './told.ts'
import { findTold, firstWaiting } from './told-queries.ts'

type Delivery = NonNullable<Awaited<ReturnType<typeof findDueDelivery>>>

export interface Message {
  /** Its `webhook-id`. */
  id: string
  payload: string
  headers: Readonly<Record<string, string>>
}

/** `gone`: what it tells of is not there for the owner of the webhook. `ended`: its agent may hear of nothing any more. */
export async function messageOf(
  sending: Pick<Dependencies, 'db' | 'config'>,
  { webhook, delivery }: { webhook: WebhookRecord; delivery: Delivery },
  now: string,
): Promise<Message | 'gone' | 'ended'> {
  const { db } = sending
  const { subscriptionId } = webhook
  if (subscriptionId === null) {
    if (!(await isStillShown(db, webhook, delivery))) return 'gone'
    return { id: delivery.id, payload: await payloadOf(sending, webhook, delivery), headers: {} }
  }
  const listener = await subscriberOf(sending, webhook, now)
  if (!listener) return 'ended'
  const told = delivery.position === null ? undefined : await findTold(db, Number(delivery.position))
  if (!told || !(await mayHear(db, listener, told))) return 'gone'
  const waiting = await firstWaiting(db, webhook.id, told.position)
  // Up to there everything has arrived or is given up, so an agent that goes on there misses nothing.
  const cursor = cursorAt(waiting === undefined ? told.position : waiting - 1)
  const payload = JSON.stringify({ ...parseJson<object>(told.payload), cursor })
  return { id: told.id, payload, headers: { [SUBSCRIPTION_HEADER]: subscriptionId } }
}

/** The event as it is stored, or the message of it for a chat. */
async function payloadOf(
  { db, config: { baseUrl } }: Pick<Dependencies, 'db' | 'config'>,
  { format, template }: WebhookRecord,
  delivery: Delivery,
): Promise<string> {
  if (format === 'guildhall') return delivery.payload
  const boardId = await findBoardId(db, delivery)
  const board = boardId === undefined ? undefined : await findBoard(db, boardId)
  return chatBody(format, template, valuesOf(delivery.payload, { board: board?.name ?? '', baseUrl }))
}

/** The code of `Forbidden` (SEP-3415, Error Handling). */
const FORBIDDEN = -32_024

export const endOfSubscription = ({ subscriptionId }: Pick<WebhookRecord, 'subscriptionId'>): Message => ({
  id: controlId('terminated'),
  payload: JSON.stringify({
    type: 'terminated',
    error: { code: FORBIDDEN, message: 'Forbidden', data: { reason: 'Access revoked' } },
  }),
  headers: { [SUBSCRIPTION_HEADER]: subscriptionId ?? '' },
})
