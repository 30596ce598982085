// What the extension Events has in it: its errors, and what events have in them as JSON Schema: ids to read more by, and no text beyond its beginning.
import type { EventArgument } from '../../contract/webhook-events.ts'

export const argumentSchemas: Readonly<Record<EventArgument, object>> = {
  board: { type: 'string', maxLength: 60, description: 'The slug of a board: only what is in it' },
  item: { type: 'string', format: 'uuid', description: 'The id of an item of the library: only what is about it' },
}

const text = { type: ['string', 'null'] }

export const payloadSchema = {
  type: 'object',
  properties: {
    target: {
      type: 'object',
      description: 'The thing that it is about',
      properties: {
        type: { type: 'string' },
        id: { type: 'string' },
        number: { type: ['integer', 'null'] },
        title: text,
      },
      required: ['type', 'id'],
    },
    commentId: text,
    url: { ...text, description: 'Its page; null where it is gone' },
    href: text,
    actor: {
      type: ['object', 'null'],
      description: 'Who did it',
      properties: { id: { type: 'string' }, username: text },
    },
    excerpt: { type: 'string', description: 'The beginning of the text' },
    status: { type: ['object', 'null'], properties: { from: { type: 'string' }, to: { type: 'string' } } },
    version: text,
  },
  required: ['target'],
} as const

/** The codes of SEP-3415, Error Handling; `InvalidParams` is that of JSON-RPC. */
export const eventErrors = {
  notFound: -32_023,
  forbidden: -32_024,
  resourceExhausted: -32_025,
  unsupported: -32_026,
  callbackEndpointError: -32_027,
} as const

export interface Polled {
  events: readonly object[]
  /** The place after each of them. */
  cursors: readonly string[]
  cursor: string
  truncated: boolean
  hasMore: boolean
}
