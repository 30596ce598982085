// MCP at /api/mcp: Streamable HTTP without sessions, in both eras of the protocol, so that any process can answer
// (behaviour.md, section 6). Only a bearer token says who calls; the site's cookie counts for nothing here.
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import { operationsOff, type PartsOff } from '../../contract/parts.ts'
import type { PendingActOperations } from '../../contract/pending.ts'
import { type KeyFault, Problem } from '../../contract/problem.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { authenticate, authorize } from '../../core/authorize.ts'
import type { BoundOperation } from '../../core/bind.ts'
import type { Core } from '../../core/call-request.ts'
import { requireBounded } from '../../core/json-body.ts'
import { accessOf } from '../../core/readers.ts'
import { challengeFor, type PresentedToken, presentedToken } from '../../request/credentials.ts'
import { timestamp } from '../../runtime/clock.ts'
import type { Env } from '../http/pipeline.ts'
import { Exchange } from './call.ts'
import { challengeAnswer } from './challenge.ts'
import { answerCall, type DirectMessage, directMessage, KeptAnswers } from './direct.ts'
import { type EventStreams, streamed } from './event-streams.ts'
import type { EventOperations } from './events.ts'
import { requireWithin } from './limits.ts'
import { isListen, isModern, listen } from './listen.ts'
import { listFor } from './lists.ts'
import { RUN } from './scripts/definitions.ts'
import { callTool, identityOf, type McpOptions, mcpServer } from './server.ts'
import type { SkillOperations } from './skills.ts'
import type { Subscriptions } from './subscriptions.ts'
import { type Toolbox, toolboxOf } from './toolbox.ts'
import { type Arguments, isRecord } from './tools.ts'

/** Batches came with this revision and went with the next. */
const WITH_BATCHES = '2025-03-26'

export interface McpSurface {
  core: Core
  operations: readonly BoundOperation[]
  prompts: readonly Prompt[]
  completedBy: Readonly<Record<string, string>>
  skills: SkillOperations
  acts: PendingActOperations
  events: EventOperations
  /** In place of Guildhall's own server: for suites that bring tools of their own. */
  serverFor?: McpServerFactory | undefined
}

/**
 * Answers a request to the endpoint; "body" is its text. What the protocol says about it is the library's to say. A text is an answer of status 200 in JSON.
 */
export function createMcp(
  surface: McpSurface,
  { subscriptions, streams }: { subscriptions: Subscriptions; streams: EventStreams },
): (c: Context<Env>, body: string) => Promise<Response | string> {
  const { core } = surface
  const { baseUrl } = core.dependencies.config
  const offered = offeredBy(surface)
  const exchanges = new WeakMap<Request, Exchange>()
  const serverFor: McpServerFactory =
    surface.serverFor ??
    (({ requestInfo, era }) => {
      const exchange = exchanges.get(requestInfo!)!
      return mcpServer(optionsOf(exchange), exchange, era)
    })
  const optionsOf = ({ list }: Exchange) => ({
    ...{ core, skills: surface.skills, acts: surface.acts, events: { operations: surface.events, streams } },
    ...offered(),
    list,
  })
  const onerror = (error: Error) => core.dependencies.log.warn({ err: error }, 'mcp')
  const modern = createMcpHandler(serverFor, { legacy: 'reject', onerror })
  return async (c, body) => {
    requireBounded(body)
    const list = listFor(c.req.raw, core.dependencies.config)
    const message = parsed(body)
    const { toolbox, kept } = offered()
    requireWithin(message, Buffer.byteLength(body), toolbox)
    const request = message === undefined ? requestWith(c.req.raw, body) : c.req.raw
    if (Array.isArray(message) && !knowsBatches(request)) {
      throw new Problem('invalid_request', `Only ${WITH_BATCHES} knows batches: send one message`)
    }
    const presented = await presentOnce(request, surface)
    const found = await accountOf(presented, surface)
    if (presented && !found?.caller) return unknownToken(presented, found, baseUrl)
    const refused = challengeOf(message, { presented, found, toolbox, config: core.dependencies.config })
    if (refused) return refused
    const { requestId, address = '127.0.0.1', observe } = c.env
    const caller = { requestId, presented, address }
    const exchange = new Exchange({ ...caller, observe }, { list, authenticated: found })
    exchanges.set(request, exchange)
    if (isListen(message) && !surface.serverFor) {
      const watching = { resources: toolbox.resources, core, caller }
      const stream = { request, address, serverFor, watching }
      return inScheme(await listen(message, { surface: core, subscriptions, presented, stream }), presented)
    }
    const ask = async () =>
      !isModern(message) && (await isLegacyRequest(request, message))
        ? serveLegacy(request, message, serverFor)
        : streamed(await modern.fetch(request, message === undefined ? {} : { parsedBody: message }), exchange)
    // The proof of a key has headers of its own in every answer.
    const isDirect = !surface.serverFor && presented?.scheme !== 'DPoP'
    const direct = isDirect ? directMessage(message, request.headers, toolbox) : undefined
    const answer = direct
      ? await answerDirectly(direct, { options: optionsOf(exchange), exchange, kept, ask })
      : await ask()
    const { challenge } = exchange
    if (challenge) return inScheme(challengeAnswer(challenge, presented !== undefined, baseUrl), presented)
    return typeof answer === 'string' ? answer : inScheme(answer, presented)
  }
}

interface DirectCall {
  options: McpOptions
  exchange: Exchange
  kept: KeptAnswers
  /** Asks the library. */
  ask(): Promise<Response>
}

/** A call is made here; what is the same for everyone was answered by the library before. */
function answerDirectly(
  message: DirectMessage,
  { options, exchange, kept, ask }: DirectCall,
): Promise<Response | string> {
  const { config } = options.core.dependencies
  const { method, era, name, input } = message
  if (method !== 'tools/call') {
    const { of, isPrivate } = options.list
    return kept.answer(message, JSON.stringify([method, era, of, isPrivate, config.name, config.baseUrl]), ask)
  }
  const call = { ...options, exchange, signal: NEVER, progress: undefined, tasks: undefined }
  return answerCall(
    message,
    () => callTool(name, input, call),
    () => identityOf(config),
  )
}

/** Of what does not end with its client. */
const NEVER = new AbortController().signal

/** What is offered while some parts are off, made once for the parts that are off now, and whether scripts are. */
function offeredBy({ core, operations, prompts, completedBy }: McpSurface) {
  const offer = (off: PartsOff, hasScripts: boolean) => {
    const { hasOperation } = off
    const there = operations.filter(({ name }) => !hasOperation(name))
    const isThere = (name: string) => !hasOperation(name)
    return {
      ...{ key: off.key, hasScripts },
      toolbox: toolboxOf(there, { off, hasScripts }),
      kept: new KeptAnswers(),
      prompts: prompts.filter(({ needs }) => needs.every(isThere)),
      completedBy: Object.fromEntries(Object.entries(completedBy).filter(([, name]) => isThere(name))),
    }
  }
  let made: ReturnType<typeof offer> | undefined
  return () => {
    const { config } = core.dependencies
    const off = operationsOff(config)
    if (made?.key !== off.key || made.hasScripts !== config.mcpScripts) made = offer(off, config.mcpScripts)
    return made
  }
}

/** The token as every call of this request has it: the proof of its key is looked at here, once for all of them. */
async function presentOnce(
  request: Request,
  { core: { authenticators, dependencies } }: McpSurface,
): Promise<PresentedToken | undefined> {
  const presented = presentedToken(request)
  if (presented?.scheme !== 'DPoP') return presented
  const found = await authenticators.bearer(presented, timestamp(dependencies.clock.now()))
  const shown = found && ('fault' in found ? found : found.key ? { key: found.key, nonce: found.nonce } : undefined)
  return { ...presented, shown }
}

/** An answer to a token that came with a proof: the challenge in its scheme, and the nonce for the next one (RFC 9449, 7.1). */
function inScheme(answer: Response, presented: PresentedToken | undefined, why?: KeyFault): Response {
  const shown = presented?.shown
  const fault = shown && 'fault' in shown ? shown.fault : why
  const challenge = answer.headers.get('www-authenticate')
  if (challenge && presented) {
    answer.headers.set('WWW-Authenticate', challengeFor(challenge, presented.scheme, fault))
  }
  const nonce = fault?.nonce ?? (shown && 'key' in shown ? shown.nonce : undefined)
  if (nonce) answer.headers.set('DPoP-Nonce', nonce)
  return answer
}

/** The same request with a body that can be read again: the library says what is wrong with it. */
const requestWith = ({ url, headers, signal }: Request, body: string): Request =>
  new Request(url, { method: 'POST', headers, signal, body })

/** A client that names no revision is taken to speak the one that did not ask for it (2025-11-25, Transports). */
const knowsBatches = ({ headers }: Request): boolean =>
  (headers.get('mcp-protocol-version') ?? WITH_BATCHES) === WITH_BATCHES

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A request of 2025-03-26 to 2025-11-25: one answer in JSON, or a stream for a call that wants to hear of its progress. */
async function serveLegacy(request: Request, message: unknown, serverFor: McpServerFactory): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !wantsProgress(message),
  })
  const server = await serverFor({ era: 'legacy', requestInfo: request })
  await server.connect(transport)
  request.signal.addEventListener('abort', () => void server.close(), { once: true })
  const options = message === undefined ? {} : { parsedBody: message }
  const answer = await transport.handleRequest(request, options)
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  await server.close()
  return Array.isArray(message) && answer.status === 200 ? asBatch(answer) : answer
}

/** A batch is answered by a list (JSON-RPC 2.0, 6). The library gives the answer alone where there is one. */
async function asBatch(answer: Response): Promise<Response> {
  const text = await answer.text()
  return new Response(text.startsWith('[') ? text : `[${text}]`, answer)
}

const callsIn = (message: unknown): Arguments[] =>
  [message].flat().filter((one): one is Arguments => isRecord(one) && one['method'] === 'tools/call')

const paramsOf = (call: Record<string, unknown>) => (isRecord(call['params']) ? call['params'] : {})

function wantsProgress(message: unknown): boolean {
  return callsIn(message).some((call) => {
    const { _meta: meta } = paramsOf(call)
    return isRecord(meta) && meta['progressToken'] !== undefined
  })
}

/** The account of the token by now; without a token there is none. */
async function accountOf(
  accessToken: PresentedToken | undefined,
  { core: { authenticators, dependencies } }: McpSurface,
): Promise<Authentication> {
  if (!accessToken) return undefined
  const now = timestamp(dependencies.clock.now())
  return authenticate(authenticators, { sessionToken: undefined, accessToken }, now)
}

type Authentication = Awaited<ReturnType<typeof authenticate>>

/** Every method refuses a token that is not good: a client that goes on without an account would not know. */
function unknownToken(presented: PresentedToken, found: Authentication, baseUrl: string): Response {
  const answer = challengeAnswer({ code: 'unauthorized', message: 'Send a valid bearer token' }, true, baseUrl)
  return inScheme(answer, presented, found && 'fault' in found ? found.fault : undefined)
}

interface ChallengeParams {
  presented: PresentedToken | undefined
  found: Authentication
  toolbox: Toolbox
  config: Config
}

/** 401 or 403 where a call needs a token or a scope that is not there, before anything is done. */
function challengeOf(message: unknown, { presented, found, toolbox, config }: ChallengeParams): Response | undefined {
  for (const call of callsIn(message)) {
    const { name, arguments: input } = paramsOf(call)
    const wanted = toolbox.callOf(String(name), isRecord(input) ? input : {})
    const access = name === RUN ? toolbox.ofScripts : wanted && accessOf(wanted.bound.operation.access, config)
    if (access?.credential !== 'required') continue
    try {
      authorize(access, found, config)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'unauthorized' || error.code === 'insufficient_scope') {
        const challenge = { code: error.code, message: error.message, scope: error.details.scope }
        return inScheme(
          challengeAnswer(challenge, presented !== undefined, config.baseUrl),
          presented,
          error.details.fault,
        )
      }
    }
  }
  return undefined
}
