// One attempt of a delivery: what is sent in the form of its webhook, and what the answer means.
import type { WebhookFormat } from '../../contract/webhook-events.ts'
import { publicInternet, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { reasonOf } from '../../runtime/outage.ts'
import { unseal } from '../../runtime/seal.ts'
import { toError } from '../../runtime/untyped.ts'
import { addressOf, isSecretAddress, meaningOf, methodOf } from './chat-formats.ts'
import { MAX_BODY_BYTES } from './event-rules.ts'
import type { Message } from './messages.ts'
import type { WebhookRecord } from './queries.ts'
import * as rules from './rules.ts'
import { type Attempt, signedHeaders } from './signing.ts'

type PostDependencies = Pick<Dependencies, 'secretFor' | 'reach'>

const NOT_TAKEN = 'The answer does not say that the message was taken'

export interface AttemptResult extends rules.Outcome {
  response: string | null
  /** It is not tried again. */
  isFinal?: boolean
}

const failed = (error: string): AttemptResult => ({ status: null, error, response: null, retryAfterSeconds: 0 })

/** What is sealed cannot be read: what gives it another. */
function unreadable(format: WebhookFormat): string {
  const [what, instead] = isSecretAddress(format)
    ? ['address', 'change the webhook to its address again']
    : format === 'matrix'
      ? ['token', 'give the webhook a new one']
      : ['secret', 'give the webhook a new one']
  return `The ${what} was sealed under another signing key; ${instead}`
}

/** What shows a receiver who sends: a signature, or a token; of other chats the address alone. */
function proofOf(format: WebhookFormat, attempt: Attempt, secrets: readonly string[]): Record<string, string> {
  if (format === 'guildhall') return signedHeaders(attempt, secrets)
  return format === 'matrix' ? { Authorization: `Bearer ${secrets[0]}` } : {}
}

/** Sends a message once. */
export async function post(
  sending: PostDependencies,
  webhook: WebhookRecord,
  { message: { id, payload, headers: more }, attemptedAt }: { message: Message; attemptedAt: string },
): Promise<AttemptResult> {
  if (Buffer.byteLength(payload) > MAX_BODY_BYTES)
    return { ...failed(`It has more than ${MAX_BODY_BYTES} bytes, which no receiver is sent`), isFinal: true }
  const { format } = webhook
  const secrets = await secretsOf(sending, webhook, attemptedAt)
  if (!secrets) return failed(unreadable(format))
  const [secret = ''] = secrets
  const attempt = { id, timestamp: Math.floor(Date.parse(attemptedAt) / 1000), payload }
  const request = {
    method: methodOf(format),
    headers: { ...proofOf(format, attempt, secrets), ...more, 'Content-Type': 'application/json' },
    body: payload,
    timeoutMilliseconds: rules.TIMEOUT_MILLISECONDS,
    maxBytes: rules.RESPONSE_BYTES,
  } as const
  const url = new URL(addressOf(format, isSecretAddress(format) ? secret : webhook.url, id))
  try {
    const { status, headers, body } = await sendGuarded(url, request, sending.reach ?? publicInternet)
    const response = rules.keptResponse(body.toString('utf8'))
    const meaning = meaningOf(format, { status, body: response })
    const retryAfterSeconds = Math.max(rules.retryAfterOf(headers['retry-after']), meaning.retryAfterSeconds)
    // Of a subscription both mean this one delivery (SEP-3415, Delivery model and profile).
    const isFinal = webhook.subscriptionId !== null && (status === 410 || status === 413)
    return { ...meaning, status, error: meaning.isRefused ? NOT_TAKEN : null, response, retryAfterSeconds, isFinal }
  } catch (error) {
    const { name } = toError(error)
    const seconds = rules.TIMEOUT_MILLISECONDS / 1000
    return failed(
      name === 'TimeoutError' || name === 'AbortError'
        ? `No answer within ${seconds} seconds`
        : rules.keptResponse(reasonOf(error)),
    )
  }
}

/** The secrets that sign now; undefined when the current one cannot be read. */
async function secretsOf(
  { secretFor }: PostDependencies,
  { secret, previousSecret, previousSecretUntil }: WebhookRecord,
  moment: string,
): Promise<string[] | undefined> {
  const key = await secretFor('webhooks')
  const sealed =
    previousSecret && previousSecretUntil && moment < previousSecretUntil ? [secret, previousSecret] : [secret]
  try {
    return sealed.map((one) => unseal(key, one))
  } catch {
    return undefined
  }
}
