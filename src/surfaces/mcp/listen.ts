// A request for a subscription (subscriptions/listen): checked for what it names and who asks, before a stream is opened.
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { Problem } from '../../contract/problem.ts'
import { authenticate, requireOwnUse } from '../../core/authorize.ts'
import type { Authentication, Authenticators } from '../../core/call-request.ts'
import { isPrivate, isReader, NO_READER } from '../../core/readers.ts'
import type { PresentedToken } from '../../request/credentials.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { challengeAnswer } from './challenge.ts'
import { candidatesOf, listed } from './resources.ts'
import { MAX_URIS, type StreamRequest, type Subscriptions } from './subscriptions.ts'
import { type Arguments, isRecord } from './tools.ts'

const INVALID_PARAMS = -32602
const REFUSED = -32603

/** A message that names its revision is of the era that does; for any other the library looks closer. */
export function isModern(message: unknown): boolean {
  const meta = isRecord(message) && isRecord(message['params']) && message['params']['_meta']
  return isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta
}

export const isListen = (message: unknown): message is Arguments =>
  isRecord(message) && message['method'] === 'subscriptions/listen' && isModern(message)

interface Accounts {
  dependencies: Pick<Dependencies, 'clock' | 'config'>
  authenticators: Authenticators
}

interface ListenParams {
  surface: Accounts
  subscriptions: Subscriptions
  presented: PresentedToken | undefined
  /** What the stream is made of, once it is allowed. */
  stream: Pick<StreamRequest, 'request' | 'address' | 'serverFor' | 'watching'>
}

/** The stream, or why there is none: 401 for a token that is not good, an error of JSON-RPC otherwise. */
export async function listen(
  message: Arguments,
  { surface, subscriptions, presented, stream }: ListenParams,
): Promise<Response> {
  const { config } = surface.dependencies
  const { baseUrl } = config
  const refuse = (code: number, words: string) =>
    Response.json({ jsonrpc: '2.0', id: message['id'], error: { code, message: words } })
  const uris = urisIn(message)
  // What is no filter at all is the library's to refuse.
  if (uris.length > MAX_URIS) return refuse(INVALID_PARAMS, `resourceSubscriptions: at most ${MAX_URIS} addresses`)
  const names = { baseUrl, resources: stream.watching.resources }
  const known = (uri: string) => candidatesOf(uri, names).length > 0 || listed(names).some((one) => one.uri === uri)
  const other = uris.find((uri) => !known(uri))
  if (other !== undefined)
    return refuse(INVALID_PARAMS, `resourceSubscriptions: ${other} is no resource of this server`)
  const found = await accountOf(surface, presented)
  if (!found && (presented || isPrivate(config))) {
    const challenge = { code: 'unauthorized' as const, message: 'Send a valid bearer token' }
    return challengeAnswer(challenge, presented !== undefined, baseUrl)
  }
  if (found?.isStopped) return refuse(REFUSED, 'This account is blocked, or is being deleted')
  if (found && !isReader(config, found.caller)) return refuse(REFUSED, NO_READER)
  const otherUse = otherUseOf(found)
  if (otherUse !== undefined) return refuse(REFUSED, otherUse)
  const isAuthorized = () => authorizes(surface, presented)
  const answer = await subscriptions.open({ ...stream, message, uris, accountId: found?.id, isAuthorized })
  return typeof answer === 'string' ? refuse(REFUSED, answer) : answer
}

/** Whether the token of a stream lets its account read by now; without one, whether everybody may. */
export async function authorizes(accounts: Accounts, presented: PresentedToken | undefined): Promise<boolean> {
  const { config } = accounts.dependencies
  if (!presented) return !isPrivate(config)
  const now = await accountOf(accounts, presented)
  return now !== undefined && !now.isStopped && isReader(config, now.caller) && otherUseOf(now) === undefined
}

/** Why a token does not listen that is for another use alone. */
function otherUseOf(found: Pick<Authentication, 'caller'> | undefined): string | undefined {
  try {
    requireOwnUse({}, found)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function urisIn({ params }: Arguments): string[] {
  const filter = isRecord(params) && params['notifications']
  const uris = isRecord(filter) ? filter['resourceSubscriptions'] : undefined
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === 'string'))] : []
}

/** The account of a token by now; undefined for one that is not good. */
async function accountOf({ authenticators, dependencies }: Accounts, accessToken: PresentedToken | undefined) {
  const now = timestamp(dependencies.clock.now())
  const found = await authenticate(authenticators, { sessionToken: undefined, accessToken }, now)
  return found?.caller && { id: found.caller.id, caller: found.caller, isStopped: found.blocked || found.leaving }
}
