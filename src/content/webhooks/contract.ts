// Webhooks: addresses that events are sent to, signed as Standard Webhooks describes. What admins do with those of the community, and
// owners with those of their library items, is the same; each domain says where and for whom.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import type { WriteKind } from '../../contract/bounds.ts'
import { EXAMPLE_ID, Id, line, pageEnd, pageInput, Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import {
  MAX_TEMPLATE,
  TEST_EVENT,
  templateNames,
  unknownNames,
  webhookEvents,
  webhookFormats,
} from '../../contract/webhook-events.ts'
import { MAX_LOGGED, MAX_WEBHOOKS } from './rules.ts'

export const webhookActions = auditActions('webhook', {
  create: 'Added a webhook',
  update: 'Changed a webhook',
  delete: 'Removed a webhook',
  rotate: 'Changed the secret of a webhook',
})

const isTarget = (url: string): boolean => {
  const parsed = URL.parse(url)
  // Line breaks and tabs within it would be left out by the parser alone.
  return parsed?.protocol === 'https:' && !/\s/.test(url) && !parsed.username && !parsed.password && !parsed.hash
}

export const Target = text(1, 2_000)
  .refine(isTarget, 'must be an https address without a password')
  .meta({ example: 'https://example.com/hooks/guildhall', description: 'A public https address' })

/** The names of events, each once; none means all. */
const eventsOf = <Name extends string>(names: readonly Name[]) =>
  z
    .array(z.enum(names))
    .max(names.length)
    .transform((given) => names.filter((name) => given.includes(name)))
    .meta({ example: names.slice(-2), description: 'Which events; none means all of them' })

export const Webhook = z
  .object({
    id: Id,
    itemId: Id.nullable().meta({ description: 'The library item whose events it gets; null for all', example: null }),
    boardId: Id.nullable().meta({ description: 'The board whose events it gets; null for all', example: null }),
    format: z.enum(webhookFormats).meta({ example: 'guildhall', description: 'The form of what is sent' }),
    template: textLike('{event}: {title}').nullable().meta({
      description: 'The words of its messages, of a chat; null for the usual ones',
      example: null,
    }),
    url: textLike('https://example.com/hooks/guildhall').meta({
      description: 'Of Slack, Discord, Mattermost and Teams only the server: the address is a secret',
    }),
    description: textLike('Mirrors bugs into our tracker'),
    events: z.array(z.enum(webhookEvents)).meta({ example: ['bug.created'], description: 'Empty for all' }),
    enabled: z.boolean().meta({ example: true }),
    disabledReason: z.enum(['owner', 'failing', 'gone']).nullable().meta({
      description: '`failing` after three days of failures, `gone` after a 410, or a 404 of Slack or Discord',
      example: null,
    }),
    failingSince: Timestamp.nullable().meta({ example: null }),
    previousSecretUntil: Timestamp.nullable().meta({
      description: 'Until then deliveries are signed with the previous secret too',
      example: null,
    }),
    pending: z.int().meta({ example: 0, description: 'Deliveries that wait' }),
    expiresAt: Timestamp.nullable().meta({
      description: 'Of a subscription of an agent (MCP Events): when it ends; null for a webhook',
      example: null,
    }),
    createdBy: Id.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook' })

const Secret = textLike('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').meta({ description: 'Shown this once' })

export const CreatedWebhook = Webhook.extend({
  secret: Secret.nullable().meta({
    description: 'Shown this once, for `guildhall`; null for each chat',
  }),
}).meta({ id: 'CreatedWebhook' })

const RotatedWebhook = Webhook.extend({ secret: Secret }).meta({ id: 'RotatedWebhook' })

const Delivery = z
  .object({
    id: Id.meta({ description: 'The `webhook-id` of every attempt' }),
    event: z.enum([...webhookEvents, TEST_EVENT]).meta({ example: 'bug.created' }),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().meta({ example: 1 }),
    createdAt: Timestamp,
    attemptedAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable().meta({ example: null }),
    status: z.int().nullable().meta({ example: 204, description: 'The HTTP status of the last attempt' }),
    durationMilliseconds: z.int().nullable().meta({ example: 82 }),
    response: textLike('').nullable().meta({ description: 'The first 1,000 characters of the last response' }),
    error: textLike('').nullable().meta({ description: 'Why there was no response', example: null }),
    payload: textLike(`{"type":"bug.created","timestamp":"2026-11-20T09:30:00.000Z","data":{"id":"${EXAMPLE_ID}"}}`),
  })
  .meta({ id: 'WebhookDelivery' })

const Description = line(0, 200).meta({ example: 'Mirrors bugs into our tracker' })

const names = templateNames.map((name) => `{${name}}`).join(', ')
const Template = text(1, MAX_TEMPLATE)
  .refine((given) => unknownNames(given).length === 0, `may name ${names} and nothing else in braces`)
  .meta({
    example: '{event}: {title}\n{url}',
    description: `The words of a message in a chat, as plain text: ${names}. A line where nothing that it names is there is left out.`,
  })

const Format = z.enum(webhookFormats).meta({ example: 'slack', description: 'The form of what is sent; it stays' })

/** Of an account of Matrix that may write in the room. */
const Token = z
  .string()
  .regex(/^[\x21-\x7e]{1,1000}$/, 'must have 1 to 1,000 characters without spaces')
  .meta({ example: 'syt_Z3VpbGRoYWxs_kYgXhPTn', description: 'The access token for Matrix; not shown again' })

/** What a new webhook is given. */
export const newWebhook = <Name extends string>(events: readonly Name[]) =>
  z.object({
    url: Target,
    description: Description.default(''),
    events: eventsOf(events).default([]),
    format: Format.default('guildhall'),
    template: Template.optional(),
    token: Token.optional(),
  })

export const webhookList = z.object({ items: z.array(Webhook) })

const SENT =
  'Each event is sent as a POST of `{ type, timestamp, data }` with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks, v1), or as a message in the `format` of a chat. Anything but a 2xx answer within 15 seconds is tried again for a day, less and less often; redirects are not followed.'

/** What `create` says and uses up, for every domain. */
export const creation = {
  description: `${SENT} At most ${MAX_WEBHOOKS} for an account. The answer holds the secret of a \`guildhall\` webhook, which is not shown again.`,
  method: 'POST',
  budget: 'webhooks',
  audit: [webhookActions.create],
  output: CreatedWebhook,
  status: 201,
  shownOnce: true,
} as const

interface Room<Name extends string> {
  path: `/${string}`
  kind: WriteKind
  read: Access & { credential: 'required' }
  write: Access & { credential: 'required' }
  events: readonly Name[]
}

const id = z.object({ id: Id })

/** What is done with one webhook, below the `path` of a domain. */
export const webhookOperations = <Name extends string>(room: Room<Name>) => ({
  ...changing(room),
  ...sending(room),
  ...previewing(room),
})

function changing<Name extends string>({ path, kind, write, events }: Room<Name>) {
  const one = { path: `${path}/{id}`, problems: ['not_found'] } as const
  return {
    update: {
      ...one,
      summary: 'Change a webhook, or disable and enable it',
      description: 'What is not given stays. Enabling it forgets that it failed.',
      method: 'PATCH',
      kind,
      access: write,
      budget: 'webhooks',
      audit: [webhookActions.update],
      input: id.extend({
        url: Target.optional(),
        description: Description.optional(),
        events: eventsOf(events).optional(),
        enabled: z.boolean().optional(),
        template: Template.nullable().optional(),
        token: Token.optional(),
      }),
      output: Webhook,
    },
    delete: {
      ...one,
      summary: 'Remove a webhook with its log',
      method: 'DELETE',
      kind,
      access: write,
      audit: [webhookActions.delete],
      input: id,
      output: id,
    },
    rotateSecret: {
      ...one,
      path: `${path}/{id}/secret`,
      summary: 'Give a webhook a new secret',
      synonyms: ['rotate secret', 'change webhook secret'],
      description: 'For a day each delivery is signed with both, so that receivers can change over.',
      method: 'POST',
      kind,
      access: write,
      budget: 'webhooks',
      audit: [webhookActions.rotate],
      input: id,
      output: RotatedWebhook,
      problems: ['not_found', 'conflict'],
      shownOnce: true,
    },
  } as const satisfies Contract
}

function previewing<Name extends string>({ path, read, events }: Room<Name>) {
  return {
    preview: {
      path: `${path}/preview`,
      summary: 'What a webhook would send for an example event',
      synonyms: ['preview webhook message', 'try template'],
      description: 'Nothing is sent or stored.',
      method: 'GET',
      access: read,
      input: z.object({
        format: Format.default('guildhall'),
        template: Template.optional(),
        event: z.enum(events).optional().meta({ description: '`comment.created` unless told' }),
      }),
      output: z.object({
        method: z.enum(['POST', 'PUT']),
        body: textLike('{"text":"A bug was filed: The digest is late"}').meta({ description: 'JSON, as it is sent' }),
      }),
    },
  } as const satisfies Contract
}

function sending<Name extends string>({ path, kind, read, write }: Room<Name>) {
  return {
    test: {
      path: `${path}/{id}/test`,
      summary: 'Send a test event to a webhook',
      synonyms: ['ping webhook', 'try webhook'],
      description: 'It is sent as any other event is, within seconds; the log tells how it went.',
      method: 'POST',
      kind,
      access: write,
      budget: 'webhooks',
      input: id,
      output: Delivery,
      status: 201,
      problems: ['not_found', 'conflict'],
    },
    deliveries: {
      path: `${path}/{id}/deliveries`,
      problems: ['not_found'],
      summary: 'What was sent to a webhook, newest first',
      synonyms: ['webhook log', 'failed deliveries'],
      description: `Those that wait, and the last ${MAX_LOGGED} others, for 30 days unless the operator sets another time. What is deleted or hidden goes from the log as well.`,
      method: 'GET',
      access: read,
      input: id.extend(pageInput),
      output: z.object({ items: z.array(Delivery), ...pageEnd }),
    },
    redeliver: {
      path: `${path}/{id}/deliveries/{deliveryId}/redelivery`,
      summary: 'Send a delivery again',
      synonyms: ['retry webhook', 'resend delivery'],
      description: 'With the same `webhook-id`, so that a receiver knows it. What Matrix took is 409.',
      method: 'POST',
      kind,
      access: write,
      budget: 'webhooks',
      input: id.extend({ deliveryId: Id }),
      output: Delivery,
      problems: ['not_found', 'conflict'],
    },
  } as const satisfies Contract
}
