// A request of a chat: whether it is one, that it is the first of its kind, and the answer within the three seconds that chats wait.
import { createPublicKey, verify } from 'node:crypto'
import { privateAddressOf } from '../../budgets/network.ts'
import type { ChatService } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { mac, sameHash, sha256 } from '../../runtime/hash.ts'
import { answers, askedIn, type Command, checked } from './asked.ts'
import { type Calling, lateLines, linesFor } from './commands.ts'

// By what a chat shows that a request is its own: Slack by a code made with a shared secret, Discord by a signature of its key. Neither says for how
// long one is good: five minutes, as Slack advises.

export const MAX_AGE_SECONDS = 300

/** DER of an Ed25519 key begins so (RFC 8410, 4). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

interface SignedRequest {
  timestamp: string | null
  signature: string | null
  body: string
}

/** Whether the time of a request is close enough to that of the server. */
function isTimely(timestamp: string | null, now: string): timestamp is string {
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(Date.parse(now) - Number(timestamp) * 1_000) <= MAX_AGE_SECONDS * 1_000
}

/** Slack, "Verifying requests from Slack": `v0=` and the HMAC of version, time and body. */
export function isOfSlack(secret: string, { timestamp, signature, body }: SignedRequest): boolean {
  const expected = `v0=${mac(Buffer.from(secret), `v0:${timestamp}:${body}`).toString('hex')}`
  return signature !== null && sameHash(signature, expected)
}

/** Discord, "Validating security request headers": Ed25519 over time and body. */
function isOfDiscord(publicKey: string, { timestamp, signature, body }: SignedRequest): boolean {
  if (signature === null || !/^[0-9a-f]{128}$/i.test(signature)) return false
  const der = Buffer.concat([ED25519, Buffer.from(publicKey, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(`${timestamp}${body}`), key, Buffer.from(signature, 'hex'))
}

/** Chats give up after three seconds. */
const ANSWER_MILLISECONDS = 2_500

const headerNames = {
  slack: { timestamp: 'x-slack-request-timestamp', signature: 'x-slack-signature' },
  discord: { timestamp: 'x-signature-timestamp', signature: 'x-signature-ed25519' },
} as const

const json = (value: unknown): EndpointResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

interface ChatRequest {
  service: ChatService
  received: EndpointRequest
  calling: Calling
}

const notSigned = () => new Problem('unauthorized', 'This request is not signed by the chat, or too old')

/** Throws for a request that the chat did not sign just now. */
function requireSigned({ config }: Dependencies, { service, received }: ChatRequest): SignedRequest {
  const key = service === 'slack' ? config.slackSigningSecret : config.discordPublicKey
  if (key === undefined) throw new Problem('not_found', 'There is nothing here')
  const { headers } = received.request
  const names = headerNames[service]
  const signed = {
    timestamp: headers.get(names.timestamp),
    signature: headers.get(names.signature),
    body: received.body,
  }
  const isSigned = service === 'slack' ? isOfSlack : isOfDiscord
  if (!isTimely(signed.timestamp, received.now) || !isSigned(key, signed)) throw notSigned()
  return signed
}

/** Throws for a request that came before. */
async function requireFirst(
  { db }: Dependencies,
  { service, received }: ChatRequest,
  { timestamp, body }: SignedRequest,
): Promise<void> {
  // What is signed, and not the signature: of one text there may be several.
  const hash = sha256(`chat ${service} ${timestamp} ${body}`)
  const expiresAt = after(received.now, 3 * MAX_AGE_SECONDS)
  if (!(await db.transaction().execute((transaction) => insertUsedProof(transaction, { hash, expiresAt }))))
    throw notSigned()
}

/** The answer of the work, or another one once it takes too long. The work goes on; what fails then has a message of its own. */
async function inTime<T>(
  work: () => Promise<T>,
  { late, failed }: { late: () => T; failed: (err: unknown) => void },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const working = work()
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      working.catch(failed)
      resolve(late())
    }, ANSWER_MILLISECONDS)
  })
  try {
    return await Promise.race([working, end])
  } finally {
    clearTimeout(timer)
  }
}

export async function serveChat(dependencies: Dependencies, asked: ChatRequest): Promise<EndpointResponse> {
  const { service, received } = asked
  const signed = requireSigned(dependencies, asked)
  const command = askedIn[service](received.body)
  if (command === 'check') return json(checked[service])
  if (!command) throw new Problem('invalid_request', 'This is no command')
  const known = {}
  return inTime(() => answer(dependencies, asked, { signed, command, known }), {
    late: () => json(answers[service](lateLines({ dependencies, command, known }))),
    failed: (err) => dependencies.log.error({ err }, 'a command of a chat failed after its answer'),
  })
}

/** All requests come from the servers of a service: the network of a user is that of the workspace, as an address that no machine has (RFC 4193). */
const addressOf = ({ service, workspace }: Command['user']) => privateAddressOf(`chat ${service} ${workspace}`)

async function answer(
  dependencies: Dependencies,
  asked: ChatRequest,
  { signed, command, known }: { signed: SignedRequest; command: Command; known: { language?: string | null } },
): Promise<EndpointResponse> {
  const { service, received, calling } = asked
  await requireFirst(dependencies, asked, signed)
  const address = addressOf(command.user)
  const lines = await linesFor({ dependencies, calling, command, now: received.now, address, known })
  return json(answers[service](lines))
}
