// What receivers say of their streams, and what they get (SSF 1.0, 8.1), without input or output.
import { z } from 'zod'
import type { SignalStream } from '../../identity/signal-queries.ts'
import { SESSION_REVOKED } from './events.ts'

export const PUSH = 'urn:ietf:rfc:8935'
export const POLL = 'urn:ietf:rfc:8936'

/** A receiver asks so often at most that it is verified. */
export const VERIFICATION_SECONDS = 60

const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && !url.username && !url.hash
}

const Delivery = z.union([
  z.object({
    method: z.literal(PUSH),
    endpoint_url: z.string().max(2_000).refine(isEndpoint),
    authorization_header: z
      .string()
      .regex(/^[\x20-\x7e]{1,2000}$/)
      .optional(),
  }),
  z.object({ method: z.literal(POLL), endpoint_url: z.string().max(2_000).optional() }),
])

const Events = z.array(z.string().min(1).max(300)).max(50)

/** What the receiver says; all else is ours, and has to be as it is (8.1.1.3, 8.1.1.4). */
export const StreamRequest = z.object({
  stream_id: z.string().max(100).optional(),
  iss: z.unknown().optional(),
  aud: z.unknown().optional(),
  events_supported: z.unknown().optional(),
  events_delivered: z.unknown().optional(),
  min_verification_interval: z.unknown().optional(),
  inactivity_timeout: z.unknown().optional(),
  events_requested: Events.optional(),
  delivery: Delivery.optional(),
  description: z.string().max(500).optional(),
})
export type StreamRequest = z.output<typeof StreamRequest>

export const StatusRequest = z.object({
  stream_id: z.string().max(100),
  status: z.enum(['enabled', 'paused', 'disabled']),
  reason: z.string().max(500).optional(),
})

export const VerificationRequest = z.object({ stream_id: z.string().max(100), state: z.string().max(1_000).optional() })

/** RFC 8936, 2.2. A poll is answered at once: there is nothing to wait for that a later poll would not get. */
export const PollRequest = z.object({
  maxEvents: z.int().min(0).max(1_000_000).default(20),
  ack: z.array(z.string().max(200)).max(1_000).default([]),
  setErrs: z.record(z.string().max(200), z.unknown()).default({}),
})
/** How many events an answer to a poll has at most. */
export const MOST_EVENTS = 100

/** What is stored of what a receiver says; one that says nothing of the delivery polls (8.1.1.1). */
export const storedRequest = ({ events_requested: events = [], delivery, description }: StreamRequest) => ({
  method: delivery?.method === PUSH ? ('push' as const) : ('poll' as const),
  endpointUrl: delivery?.method === PUSH ? delivery.endpoint_url : null,
  eventsRequested: JSON.stringify(events),
  hearsRevocations: events.includes(SESSION_REVOKED) ? (1 as const) : (0 as const),
  description: description ?? null,
})

/** The same with what is stored already, for what the receiver leaves out. */
export const changedRequest = (stream: SignalStream, request: StreamRequest): StreamRequest => ({
  events_requested: JSON.parse(stream.eventsRequested) as string[],
  ...(stream.description !== null && { description: stream.description }),
  ...request,
})

/** The configuration of a stream. Of the header that we send the receiver is not told. */
export function shownStream(stream: SignalStream, { issuer, pollUrl }: { issuer: string; pollUrl: string }) {
  const requested = JSON.parse(stream.eventsRequested) as string[]
  const delivery =
    stream.method === 'push'
      ? { method: PUSH, endpoint_url: stream.endpointUrl }
      : { method: POLL, endpoint_url: pollUrl }
  return {
    ...{ stream_id: stream.id, iss: issuer, aud: stream.receiverId, delivery },
    ...{ events_supported: [SESSION_REVOKED], events_requested: requested },
    events_delivered: requested.filter((event) => event === SESSION_REVOKED),
    min_verification_interval: VERIFICATION_SECONDS,
    ...(stream.description !== null && { description: stream.description }),
  }
}

const OURS = [
  ...['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval', 'inactivity_timeout'],
] as const

/** The first field of this server to which a receiver gives another value than it has; undefined where there is none. */
export function wrongOurs(request: StreamRequest, stream: ReturnType<typeof shownStream>): string | undefined {
  const now: Readonly<Record<string, unknown>> = stream
  const { delivery } = request
  const place = delivery?.method === POLL && stream.delivery.method === POLL ? delivery.endpoint_url : undefined
  if (place !== undefined && place !== stream.delivery.endpoint_url) return 'delivery.endpoint_url'
  return OURS.find((name) => request[name] !== undefined && JSON.stringify(request[name]) !== JSON.stringify(now[name]))
}

export const shownStatus = ({ id, status, reason }: SignalStream) => ({
  ...{ stream_id: id, status },
  ...(reason !== null && { reason }),
})
