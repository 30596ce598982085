// What a webhook of a chat needs beside its address, and an example of what it sends.
import { Problem } from '../../contract/problem.ts'
import type { WebhookEvent, WebhookFormat } from '../../contract/webhook-events.ts'
import { chatBody, methodOf, wrongAddress } from './chat-formats.ts'
import { valuesOf } from './chat-template.ts'

export interface Formatted {
  url?: string | undefined
  template?: string | null | undefined
  token?: string | undefined
}

const refuse = (words: string): never => {
  throw new Problem('invalid_request', words)
}

/** Refuses what a format does not have, and a new one without what it needs. */
export function assertFormat(
  { format, url, template, token }: Formatted & { format: WebhookFormat },
  { isNew = false } = {},
): void {
  if (format === 'guildhall' && typeof template === 'string') refuse('template: only a webhook of a chat has one')
  if (format !== 'matrix' && token !== undefined) refuse('token: only a webhook of Matrix has one')
  if (format === 'matrix' && isNew && token === undefined) refuse('token: a webhook of Matrix needs one')
  const wrong = url === undefined ? undefined : wrongAddress(format, url)
  if (wrong !== undefined) refuse(wrong)
}

/** A token goes to the server that it is for, and to no other. */
export function assertTokenStays(webhook: { format: WebhookFormat; url: string }, { url, token }: Formatted): void {
  const isElsewhere = url !== undefined && new URL(url).origin !== new URL(webhook.url).origin
  if (webhook.format === 'matrix' && isElsewhere && token === undefined)
    refuse('token: another server needs another token')
}

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z'
const EXAMPLE_IDS = ['01a1fb4e-bb9a-7544-87a4-2785318c8f22', '01a1fb4e-bb9a-7544-87a4-2785318c8f23'] as const

/** An event as one would be stored. */
function exampleEvent(type: WebhookEvent, { isOfItem, baseUrl }: { isOfItem: boolean; baseUrl: string }): string {
  const [subject = ''] = type.split('.')
  const isGone = type.endsWith('.deleted')
  const [id, actorId] = EXAMPLE_IDS
  const url = isOfItem ? `${baseUrl}/library/workflow/daily-digest` : `${baseUrl}/community/bugs/${id}`
  const target = isOfItem
    ? { type: 'item', id, number: null, title: 'Daily digest' }
    : { type: subject === 'comment' ? 'bug' : subject, id, number: 128, title: 'The digest is late' }
  const data = {
    target: { ...target, title: isGone ? null : target.title },
    commentId: null,
    ...{ url: isGone ? null : url, href: isGone ? null : url },
    actor: isGone ? null : { id: actorId, username: 'mira' },
    excerpt: isGone ? null : 'It comes at noon.',
    status: type.endsWith('.status_changed') ? { from: 'open', to: 'resolved' } : null,
    version: type.startsWith('item.version_') ? '1.4.2' : null,
  }
  return JSON.stringify({ type, timestamp: EXAMPLE_TIME, data })
}

interface PreviewRequest {
  format: WebhookFormat
  template?: string | undefined
  event?: WebhookEvent | undefined
  /** Whether the webhook hears of items of the library alone. */
  isOfItems?: boolean
}

/** What would be sent. */
export function exampleOf(
  { format, template, event = 'comment.created', isOfItems = false }: PreviewRequest,
  baseUrl: string,
) {
  assertFormat({ format, template })
  const isOfItem = isOfItems || event.startsWith('item.')
  const payload = exampleEvent(event, { isOfItem, baseUrl })
  // What is in the library is in no board.
  const board = isOfItem ? '' : 'Main'
  const body =
    format === 'guildhall' ? payload : chatBody(format, template ?? null, valuesOf(payload, { board, baseUrl }))
  return { method: methodOf(format), body }
}
