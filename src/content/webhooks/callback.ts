// Asks an address whether it wants the events of a subscription, before any is sent (SEP-3415, Endpoint verification): a nonce that is asked back. It goes
// the way of deliveries, signed as they are.
import { randomBytes } from 'node:crypto'
import { publicInternet, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sameHash } from '../../runtime/hash.ts'
import { jsonIn } from '../../runtime/json.ts'
import { toError } from '../../runtime/untyped.ts'
import { CHALLENGE_MILLISECONDS, type Failure, failureOf, failureOfError } from './event-rules.ts'
import { RESPONSE_BYTES } from './rules.ts'
import { signedHeaders } from './signing.ts'

/** The header by which a receiver finds the secret of a delivery. */
export const SUBSCRIPTION_HEADER = 'X-MCP-Subscription-Id'

interface Callback {
  url: string
  secret: string
  subscriptionId: string
  /** ISO 8601. */
  now: string
}

/** A message that is no event, with an id of its own. */
export const controlId = (type: string): string => `msg_${type}_${randomBytes(16).toString('base64url')}`

/** Why an address does not want events; undefined where it does. */
export async function challenge(
  { reach = publicInternet }: Pick<Dependencies, 'reach'>,
  { url, secret, subscriptionId, now }: Callback,
): Promise<Failure | undefined> {
  const nonce = randomBytes(32).toString('base64url')
  const payload = JSON.stringify({ type: 'verification', challenge: nonce })
  const attempt = { id: controlId('verification'), timestamp: Math.floor(Date.parse(now) / 1_000), payload }
  try {
    const { status, body } = await sendGuarded(
      new URL(url),
      {
        method: 'POST',
        headers: {
          ...signedHeaders(attempt, [secret]),
          ...{ 'Content-Type': 'application/json', [SUBSCRIPTION_HEADER]: subscriptionId },
        },
        ...{ body: payload, timeoutMilliseconds: CHALLENGE_MILLISECONDS, maxBytes: RESPONSE_BYTES },
      },
      reach,
    )
    const said = jsonIn(body.toString('utf8')) as { challenge?: unknown } | null | undefined
    const isEchoed = typeof said?.challenge === 'string' && sameHash(said.challenge, nonce)
    return failureOf(status) ?? (isEchoed ? undefined : 'challenge_failed')
  } catch (error) {
    const { name } = toError(error)
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failureOfError({ name, code })
  }
}
