// An operation as every door calls it: authenticate, authorize, bounds, budget, once, dry run, ask first, handle. No transport is known here:
// a door makes a request of what came to it, and writes the result in its own form.
import { rateLimitHeaders } from '../budgets/rules.ts'
import { workerFor } from '../budgets/work.ts'
import { type CallBudget, noBudget } from '../budgets/writes.ts'
import type { BudgetStanding } from '../contract/budget.ts'
import { type Access, isWrite } from '../contract/operation.ts'
import { operationsOff, partsOff } from '../contract/parts.ts'
import { Problem } from '../contract/problem.ts'
import { cookieIn, mayCarryCookie } from '../request/credentials.ts'
import type { Caller, Context } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import { isUnwanted } from '../runtime/wanted.ts'
import { besideBoards, isOfBoards, nothingHere, requireOpen, standingsFor, withStandings } from './about.ts'
import { authenticate, authorize, isOfRole, passkeyNeeded, requireOwnUse, requireWayIn, setNonce } from './authorize.ts'
import type { BoundOperation } from './bind.ts'
import { CallBody, parseInput } from './call-body.ts'
import { holdUpload, openBudget, wayOf } from './call-budget.ts'
import type { CallRequest, CallResult, CallState, Core, WriteDependencies } from './call-request.ts'
import { problemOf } from './fault.ts'
import { mayGoOn } from './going-on.ts'
import { performIn, plain, plainly, senderOf, type Way } from './once.ts'
import { accessOf, keepingOf } from './readers.ts'

/**
 * Calls an operation. Throws a Problem for what is refused, with how far its budgets are used up; any other error is logged and comes out
 * as `unavailable` or `internal`.
 */
export function call(core: Core, bound: BoundOperation, request: CallRequest): Promise<CallResult> {
  const { replicas } = core.dependencies
  const made = new Call(core, bound, request)
  return replicas && bound.operation.method === 'GET' ? replicas.reading(() => made.run()) : made.run()
}

/** Whether a person has looked at a write and agreed to it. */
const isAgreed = (acting: CallRequest['acting']) => acting !== undefined && !acting.isOwnWrite

class Call {
  readonly #core: Core
  readonly #bound: BoundOperation
  readonly #request: CallRequest
  readonly #now: string
  /** As the instance has it when the call begins. */
  readonly #access: Access
  #budget: CallBudget | undefined
  /** Whether the caller has a role that does not count now. */
  #isWithheld = false
  /** Whether its caller moderates boards, and has no role for it. */
  #isOfBoards = false
  #ofGrant: readonly BudgetStanding[] = []

  constructor(core: Core, bound: BoundOperation, request: CallRequest) {
    this.#core = core
    this.#bound = bound
    this.#request = request
    this.#now = timestamp(core.dependencies.clock.now())
    const { access } = bound.operation
    this.#access = request.credentials.asReader ? access : accessOf(access, core.dependencies.config)
  }

  async run(): Promise<CallResult> {
    try {
      return await this.#run()
    } catch (error) {
      throw await this.#refusal(error)
    }
  }

  async #run(): Promise<CallResult> {
    const { config } = this.#core.dependencies
    if (partsOff(config).hasOperation(this.#bound.name)) throw nothingHere()
    requireWayIn(config, this.#bound.operation)
    const authenticated = await this.#authenticate()
    requireOwnUse(this.#bound.operation, authenticated)
    const caller = authorize(besideBoards(this.#access), authenticated, config)
    // After access is decided, as for any other operation.
    if (operationsOff(config).hasOperation(this.#bound.name)) throw nothingHere()
    this.#isWithheld = caller?.withheld !== undefined
    const standings = await standingsFor(this.#core, caller, this.#request.credentials)
    this.#isOfBoards = isOfBoards(this.#access, caller, standings)
    const running = standings && { standings, isOfModerator: this.#isOfBoards }
    return withStandings(running, () => this.#runFor(authenticated, caller))
  }

  async #runFor(authenticated: CallState['authenticated'], caller: Caller | undefined): Promise<CallResult> {
    const { operation } = this.#bound
    const { acting } = this.#request
    const { way, standings } = await wayOf(this.#core, { operation, caller, request: this.#request, now: this.#now })
    this.#ofGrant = standings
    const body = isWrite(operation) ? this.#open(caller, way) : undefined
    const known = { authenticated, caller, body }
    try {
      if (way !== plain) return await this.#performIn(known, way)
      const keeping = keepingOf(operation, this.#access, { ...known, credentials: this.#request.credentials })
      return await this.#perform(
        known,
        plainly(this.#core.dependencies, acting?.on),
        async (output, reply) =>
          new PlainResult(this.#finished(output), { status: operation.status ?? 200, reply, ...keeping }),
      )
    } finally {
      if (body) await body.discard()
    }
  }

  #open(caller: Caller | undefined, way: Way): CallBody {
    const { dependencies } = this.#core
    const { body, address } = this.#request
    const holding = { caller, now: this.#now, address, declared: body.declared }
    return new CallBody(this.#bound, body, {
      hold: (most) => holdUpload(this.#core, this.#bound.operation, { ...holding, most }),
      artifacts: dependencies.blobs.artifacts,
      isPrinted: way !== plain,
      clock: dependencies.clock,
    })
  }

  /** A write with an idempotency key, a dry run, or a write that waits for approval. */
  async #performIn(known: CallState, way: Way): Promise<CallResult> {
    const { operation, name } = this.#bound
    const { caller, body } = known
    const { address, sender } = this.#request
    const { method, url } = sender
    const now = this.#now
    const answer = await performIn(way, {
      dependencies: this.#core.dependencies,
      ...senderOf(caller, address),
      now,
      sent: { operation: name, url, body: required(body) },
      isShownOnce: operation.shownOnce === true,
      dryRuns: this.#core.dryRuns,
      foretell: this.#core.foretell,
      ask: (on, write) => {
        const { pathname, search } = new URL(url)
        const sent = { address, now, method, target: `${pathname}${search}`, itemId: way.itemId }
        return this.#core.askFirst(on, { ...sent, ...write, operation: name, caller: required(caller) })
      },
      perform: (on) =>
        this.#perform(known, on, async (output, reply) => ({
          status: operation.status ?? 200,
          body: JSON.stringify(this.#finished(output)),
          headers: [...reply],
        })),
      textOf: (output) => JSON.stringify(this.#finished(output)),
    })
    return {
      status: answer.status,
      get output() {
        return parseJson<unknown>(answer.body)
      },
      text: answer.body,
      reply: new Headers(answer.headers),
      isShared: false,
    }
  }

  /** Calls the handler, and gives what it made to `finish`, with the headers of the answer. */
  async #perform<Answer>(
    known: CallState,
    on: WriteDependencies,
    finish: (output: unknown, reply: Headers) => Promise<Answer>,
  ): Promise<Answer> {
    const { authenticated, caller, body } = known
    const { operation } = this.#bound
    const { dependencies } = this.#core
    const access: Access = { ...this.#access, credential: 'required' }
    const { sender, address, acting, credentials } = this.#request
    const reply = new Headers()
    const spending = { caller, now: this.#now, address }
    if (operation.budget) this.#budget = await openBudget(this.#core, operation, spending)
    setNonce(reply, authenticated)
    // One spread: V8 copies the first of a literal at once, and further ones name by name.
    const context: Context = {
      ...dependencies,
      db: on.db,
      apart: on.apart,
      blobs: on.blobs,
      afterCommit: on.afterCommit,
      caller,
      now: this.#now,
      address,
      budget: this.#budget ?? noBudget,
      always: dependencies.db,
      worker: workerFor(dependencies, spending),
      sentAt: acting?.sentAt ?? this.#now,
      isAgreedTo: isAgreed(acting),
      approver: acting?.approver,
      userAgent: () => sender.headers.get('user-agent'),
      request: sender,
      reply,
      sessionToken: credentials.sessionToken,
      cookie: (name) => cookieIn(sender.headers, name),
      requireCaller: () => required(authorize(besideBoards(access), authenticated, dependencies.config)),
      mayGoOn: () => mayGoOn(this.#core, { operation, credentials, authenticated }),
    }
    const output = await this.#bound.handle(context, await this.#read(known, on), body?.deferred)
    await this.#conclude(authenticated, reply)
    return finish(output, reply)
  }

  /** Adds what is left of the budgets, and the cookie of a session that was renewed. */
  async #conclude(authenticated: CallState['authenticated'], reply: Headers): Promise<void> {
    const { name, operation } = this.#bound
    const { dependencies, sessionCookie } = this.#core
    if (dependencies.config.development) this.#budget?.assertCounted()
    const own = (await this.#budget?.standings(dependencies.db)) ?? []
    const standings = [...this.#ofGrant, ...own]
    if (standings.length > 0) {
      for (const [header, value] of Object.entries(rateLimitHeaders(standings))) reply.set(header, value)
    }
    if (reply.has('Set-Cookie') && !mayCarryCookie(operation)) throw new Error(`${name} must declare setsCookie`)
    // A handler that ended the session, or opened another, has set the cookie itself.
    if (authenticated?.caller && authenticated.renewedUntil && !reply.has('Set-Cookie')) {
      const { sessionToken } = this.#request.credentials
      reply.append('Set-Cookie', sessionCookie(required(sessionToken), authenticated.renewedUntil))
    }
  }

  /** With addresses. A handler that breaks its contract is a bug: found in tests and development, not paid for in production. */
  #finished(output: unknown): unknown {
    const { baseUrl, development } = this.#core.dependencies.config
    this.#bound.addAddresses(output, baseUrl)
    return development ? this.#bound.operation.output.parse(output) : output
  }

  async #authenticate(): Promise<CallState['authenticated']> {
    const { acting, credentials, onCaller } = this.#request
    if (this.#access.credential === 'none' || acting) return acting
    const { sessionToken, accessToken, skillKey, chatUser } = credentials
    const has = sessionToken || accessToken || skillKey || chatUser
    const found = has ? await authenticate(this.#core.authenticators, credentials, this.#now) : undefined
    onCaller?.(found)
    return found
  }

  /** Path, query and body merged and parsed; the path wins over the others. A DELETE has a query, and may have a body. */
  async #read({ caller, body }: CallState, { db }: Pick<WriteDependencies, 'db'>): Promise<unknown> {
    const { operation, bodied } = this.#bound
    const { path, query } = this.#request
    // A write is made even if its client does not wait for the response.
    if (operation.method === 'GET' && isUnwanted()) throw new Problem('unavailable', 'The client has gone')
    const given = { ...(bodied ? {} : query()), ...(body && (await body.fields())), ...path }
    const input = parseInput(operation.input, given)
    const isAgreedTo = isAgreed(this.#request.acting)
    await requireOpen(
      this.#core,
      { operation, caller, isOfBoards: this.#isOfBoards, isAgreedTo },
      { db, input: input as Record<string, unknown> },
    )
    return input
  }

  /** A call that was refused for another reason uses no budget, and its refusal states the budget. */
  async #refusal(error: unknown): Promise<Problem> {
    const { dependencies } = this.#core
    const found = problemOf(error, dependencies, { requestId: this.#request.requestId, operation: this.#bound.name })
    const problem = this.#isWithheld && isOfRole(found) ? passkeyNeeded() : found
    const own =
      problem.details.standings ??
      (problem === error ? await this.#budget?.standings(dependencies.db) : undefined) ??
      []
    const standings = [...this.#ofGrant, ...own]
    if (standings.length === 0) return problem
    return new Problem(problem.code, problem.message, { ...problem.details, standings })
  }
}

/** What a handler made. A class, because an object with a getter costs as much as the rest of a short call. */
class PlainResult implements CallResult {
  readonly status: number
  readonly output: unknown
  readonly reply: Headers
  readonly isShared: boolean
  readonly ownUntil: number | undefined

  constructor(
    output: unknown,
    { status, reply, isShared, ownUntil }: Pick<CallResult, 'status' | 'reply' | 'isShared' | 'ownUntil'>,
  ) {
    this.status = status
    this.output = output
    this.reply = reply
    this.isShared = isShared
    this.ownUntil = ownUntil
  }

  get text(): string {
    return JSON.stringify(this.output)
  }
}
