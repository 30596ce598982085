// Deliveries of Linear's webhooks (linear.app/developers/webhooks): signed over every byte of the body, which says when it was sent.
import { z } from 'zod'
import { mac, sameHash } from '../../runtime/hash.ts'
import type { Deliveries, DeliveryNews } from './service.ts'

/** A delivery counts for so long before and after it was sent. */
const SENT_SECONDS = 60

const Sent = z.object({ webhookTimestamp: z.number() })
const Id = z.string().max(100)
const Identifier = z.string().max(50)
const Given = z.object({
  action: z.string().max(50),
  type: z.string().max(50),
  createdAt: z.iso.datetime(),
  actor: z.object({ id: Id, name: z.string().max(300) }).nullish(),
  data: z.object({
    id: Id,
    identifier: Identifier.nullish(),
    issue: z.object({ identifier: Identifier }).nullish(),
  }),
  updatedFrom: z.object({ description: z.unknown() }).partial().nullish(),
})

function toldIn({ action, type, actor, data, updatedFrom, createdAt: at }: z.infer<typeof Given>) {
  if (!actor) return undefined
  const by = { id: actor.id, login: actor.name.slice(0, 100) }
  if (type === 'Issue') {
    const isText = action === 'update' && updatedFrom?.description !== undefined
    return isText ? ({ what: 'text', by, at } satisfies DeliveryNews) : undefined
  }
  if (action === 'remove') return { what: 'gone', id: data.id, by, at } satisfies DeliveryNews
  return action === 'update' ? ({ what: 'comment', id: data.id, by, at } satisfies DeliveryNews) : undefined
}

/** Whether a body says that it was sent at about this moment. */
function isFresh(body: string, now: string): boolean {
  try {
    const { webhookTimestamp } = Sent.parse(JSON.parse(body))
    return Math.abs(webhookTimestamp - Date.parse(now)) <= SENT_SECONDS * 1_000
  } catch {
    return false
  }
}

export const linearDeliveries: Deliveries = {
  isSigned: (secret, { request, body, now }) =>
    sameHash(request.headers.get('linear-signature') ?? '', mac(secret, body).toString('hex')) && isFresh(body, now),
  read({ request, body }) {
    const id = request.headers.get('linear-delivery') ?? ''
    const { type } = z.object({ type: z.string() }).parse(JSON.parse(body))
    if (type !== 'Issue' && type !== 'Comment') return { id, nameKey: '' }
    const given = Given.parse(JSON.parse(body))
    const identifier = type === 'Issue' ? given.data.identifier : given.data.issue?.identifier
    const [, key = '', number] = /^([A-Za-z][A-Za-z\d]*)-(\d{1,9})$/.exec(identifier ?? '') ?? []
    return {
      id,
      nameKey: key.toLowerCase(),
      number: number === undefined ? undefined : Number(number),
      told: toldIn(given),
    }
  },
}
