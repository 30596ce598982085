// What an owner changes of a webhook, under its lock, and what the audit log says of it.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { type WebhookEvent, webhookEvents } from '../../contract/webhook-events.ts'
import type { Transaction } from '../../database/schema.ts'
import { assertReachable, publicInternet } from '../../outgoing/guarded-request.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { seal } from '../../runtime/seal.ts'
import { parseJson, required, toError } from '../../runtime/untyped.ts'
import { isSecretAddress, shownAddress } from './chat-formats.ts'
import { webhookActions } from './contract.ts'
import { assertFormat, assertTokenStays, type Formatted } from './formatting.ts'
import * as queries from './queries.ts'

export type CallContext = Context<Caller>

/** What is kept of the events that are given for those of before: who chooses them was not shown those of parts that are off. */
export function chosenEvents(given: readonly WebhookEvent[], before: readonly WebhookEvent[], { hasEvent }: PartsOff) {
  const kept = before.filter(hasEvent)
  if (given.some((event) => hasEvent(event) && !kept.includes(event))) {
    throw new Problem('not_found', 'There is nothing here')
  }
  const isNoneOn = kept.length > 0 && kept.length === before.length
  if (given.length === 0) return isNoneOn ? kept : []
  return webhookEvents.filter((event) => given.includes(event) || kept.includes(event))
}

/** An address that is refused whenever it is used is refused at once. */
export function assertTarget({ reach = publicInternet }: Pick<CallContext, 'reach'>, url: string): void {
  try {
    assertReachable(new URL(url), reach)
  } catch (error) {
    throw new Problem('invalid_request', `url: ${toError(error).message}`)
  }
}

interface AuditDetail {
  action: AuditAction
  id: string
  detail?: Record<string, unknown>
}

export const audited = (
  db: Transaction,
  { caller, now, address }: CallContext,
  { action, id, detail = {} }: AuditDetail,
) => record(db, now, { action, actorId: caller.id, targetId: id, detail, address })

export interface Changes extends Formatted {
  url?: string | undefined
  description?: string | undefined
  events?: readonly WebhookEvent[] | undefined
  enabled?: boolean | undefined
  /** Of the community: the board whose events it gets; null for all. */
  boardId?: string | null
}

/** The same address, or its server where it is a secret: a form gives back what it was given. */
const isSame = ({ url }: Changes, webhook: queries.WebhookRecord): boolean => url === undefined || url === webhook.url

/** What is sealed when a chat has another address, or another token. */
const sealedOf = ({ url, token }: Changes, webhook: queries.WebhookRecord): string | undefined =>
  isSecretAddress(webhook.format) && !isSame({ url }, webhook) ? url : token

/** The change, which its caller may make. */
export async function change(
  context: CallContext,
  db: Transaction,
  { webhook, changes }: { webhook: queries.WebhookRecord; changes: Changes },
) {
  const { id, format } = webhook
  const { now } = context
  const { enabled, events: chosen, url: given, token: _, ...texts } = changes
  const before = parseJson<WebhookEvent[]>(webhook.events)
  const events = chosen && chosenEvents(chosen, before, partsOff(context.config))
  const isMoved = !isSame(changes, webhook)
  if (isMoved) assertTarget(context, required(given))
  assertFormat({ ...changes, format, url: isMoved ? given : undefined })
  if (isMoved) assertTokenStays(webhook, changes)
  const url = isMoved ? shownAddress(format, required(given)) : undefined
  const fields = Object.entries({ ...texts, url, events: events && JSON.stringify(events) })
  const set = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  const secret = sealedOf(changes, webhook)
  const healthy = { failingSince: null, failures: 0, pausedUntil: '' }
  await queries.updateWebhook(db, id, {
    ...{ ...set, updatedAt: context.now },
    ...(secret !== undefined && { secret: seal(await context.secretFor('webhooks'), secret) }),
    ...((enabled || isMoved || secret !== undefined) && healthy),
    ...(enabled && { disabledAt: null, disabledReason: null }),
    ...(enabled === false && { disabledAt: webhook.disabledAt ?? now, disabledReason: 'owner' as const, dueAt: null }),
  })
  if (enabled === false) await queries.failPending(db, id, 'The webhook was disabled')
  const changed = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const detail = { changed, url: url ?? webhook.url }
  await audited(db, context, { action: webhookActions.update, id, detail })
}
