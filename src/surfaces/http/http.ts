// The API over HTTP: every operation under /api, in one sequence of steps. The way of a request: route, cross-site check,
// authenticate, authorize, read, handle, answer.
import type { Hono, Context as HonoContext } from 'hono'
import { rateLimitHeaders } from '../../budgets/headers.ts'
import { workerFor } from '../../budgets/work.ts'
import { type CallBudget, noBudget } from '../../budgets/writes.ts'
import type { Standing } from '../../contract/budget.ts'
import { contentTypesOf, type FileAnswer, isMemberFile, isStream, type StreamAnswer } from '../../contract/files.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { WaitingWrite } from '../../request/acting.ts'
import { type PresentedToken, presentedToken, type Unproven } from '../../request/credentials.ts'
import type { Caller, Context, Dependencies } from '../../request/handler.ts'
import type { KeptAnswer } from '../../request/idempotency.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { isUnwanted } from '../../runtime/wanted.ts'
import { type Authenticated, type Authenticators, authenticate, authorize } from '../authorize.ts'
import type { Bound } from '../bind.ts'
import { requireLength } from './body.ts'
import { wayOf } from './bounded-call.ts'
import { type Counts, countsOf, holdUpload, openBudget } from './call-budget.ts'
import { cookieIn, mayCarryCookie } from './cookie.ts'
import { leadToFiles, placed, VARY } from './files-origin.ts'
import { OPERATION_HEADERS, openHeaders, preflightHeaders, transportHeaders } from './headers.ts'
import { performIn, plain, plainly, senderOf, sentBy, type Way } from './once.ts'
import { requireOwnSite } from './origin.ts'
import type { Env } from './pipeline.ts'
import { parse, RequestBody } from './request-body.ts'
import { nameRequest, noteCaller, noteProblem } from './request-log.ts'
import { innerJsonAnswer, inScheme, jsonAnswer, problemOf, refusal, refusalOf, streamAnswer } from './response.ts'
import { type Route, routesOf } from './routes.ts'
import { fileResponse } from './send-file.ts'
import type { Foretell, Performing } from './write-request.ts'

export interface HttpOptions {
  dependencies: Dependencies
  operations: readonly Bound[]
  authenticators: Authenticators
  session: { cookieName: string; cookie(token: string, expiresAt: string): string }
  /** The area that speaks for unknown paths, by their beginning. */
  areaOf(path: string): Area
  foretell: Foretell
  /** Keeps a write that needs a yes of the account. */
  askFirst(on: Performing, write: WaitingWrite): Promise<KeptAnswer>
}

/** What all requests share. */
interface Mounted extends HttpOptions, Counts {
  headers: Record<string, string>
}

/** Mounts every operation below /api, and the response for every other path there, so it comes last. */
export function mountApi(app: Hono<Env>, options: HttpOptions): void {
  const { dependencies } = options
  const headers = { ...openHeaders, ...transportHeaders(dependencies.config) }
  const mounted = { ...options, headers, ...countsOf(dependencies) }
  for (const route of routesOf(options.operations)) {
    app.all(`/api${route.pattern}`, (c) => new Exchange(c, mounted).run(route))
  }
  app.all('/api/*', (c) => new Exchange(c, mounted).unknownPath())
}

/** An operation that is called, by whom, and with what. */
interface Call {
  bound: Bound
  authenticated: Authenticated | Unproven | undefined
  caller: Caller | undefined
  body: RequestBody
}

/** One request and its answer. */
class Exchange {
  readonly #c: HonoContext<Env>
  readonly #options: Mounted
  readonly #headers: Record<string, string>
  readonly #request: Request
  readonly #now: string
  readonly #sessionToken: string | undefined
  readonly #address: string
  #budget: CallBudget | undefined
  #accessToken: PresentedToken | undefined
  #ofGrant: readonly Standing[] = []

  constructor(c: HonoContext<Env>, options: Mounted) {
    this.#c = c
    this.#options = options
    this.#request = c.req.raw
    this.#headers = { ...options.headers, 'X-Request-Id': c.env.requestId }
    this.#address = c.env.address ?? '127.0.0.1'
    this.#now = timestamp(options.dependencies.clock.now())
    this.#sessionToken = cookieIn(this.#request.headers, options.session.cookieName)
  }

  unknownPath(): Response {
    this.#c.env.operation = ''
    if (this.#request.method === 'OPTIONS') return this.#send(204, null)
    const area = this.#options.areaOf(new URL(this.#request.url).pathname)
    const { status, body } = refusalOf(area, new Problem('not_found', 'There is nothing here'))
    return this.#send(status, body)
  }

  async run(route: Route): Promise<Response> {
    const method = this.#request.method === 'HEAD' ? 'GET' : this.#request.method
    const bound = route.byMethod.get(method)
    nameRequest(
      this.#c.env,
      bound?.name ?? (method === 'OPTIONS' ? '' : `${method} ${route.path}`),
      `/api${route.path}`,
    )
    if (method === 'OPTIONS') return this.#send(204, null, preflightHeaders(route.allow, OPERATION_HEADERS))
    if (!bound) {
      const problem = new Problem('method_not_allowed', `${route.path} takes ${route.allow}`)
      const { status, body } = refusalOf(route.area, problem)
      return this.#send(status, body, { Allow: route.allow })
    }
    try {
      return await this.#call(bound)
    } catch (error) {
      return this.#refuse(bound, error)
    }
  }

  async #call(bound: Bound): Promise<Response> {
    const { operation } = bound
    const { dependencies } = this.#options
    requireOwnSite(this.#request, operation, { sessionToken: this.#sessionToken, ...dependencies.config })
    const files = leadToFiles(this.#request, operation, dependencies.config)
    if (files) return this.#send(307, null, { Location: files, 'Cache-Control': 'public, max-age=3600', Vary: VARY })
    const authenticated = await this.#authenticate(operation)
    const caller = authorize(operation.access, authenticated)
    const { acting, isLooking } = this.#c.env
    const given = { operation, caller, request: this.#request, now: this.#now, acting, isLooking }
    const { way, standings } = await wayOf(this.#options, given)
    this.#ofGrant = standings
    const source = this.#c.env.incoming ?? this.#request.body
    const spending = { caller, now: this.#now, address: this.#address, request: this.#request }
    const hold = (most: number) => holdUpload(this.#options, operation, { ...spending, most })
    const kept = { artifacts: dependencies.blobs.artifacts, isPrinted: way !== plain, clock: dependencies.clock }
    const body = new RequestBody(bound, { request: this.#request, source, hold, ...kept })
    const call = { bound, authenticated, caller, body }
    try {
      if (way === plain) {
        const on = plainly(dependencies, acting?.on)
        return await this.#perform(call, on, (result, reply) => this.#respond(call, result, reply))
      }
      return await this.#performIn(call, way)
    } finally {
      await body.discard()
    }
  }

  /** A write with an idempotency key, a dry run, or a write that waits for approval. */
  async #performIn(call: Call, way: Way): Promise<Response> {
    const { operation, name } = call.bound
    const sent = sentBy(this.#request, { address: this.#address, now: this.#now })
    const answer = await performIn(way, {
      dependencies: this.#options.dependencies,
      ...senderOf(call.caller, this.#address),
      now: this.#now,
      sent: { operation: name, url: this.#request.url, body: call.body },
      isShownOnce: operation.shownOnce === true,
      dryRuns: this.#options.dryRuns,
      foretell: this.#options.foretell,
      ask: (on, write) =>
        this.#options.askFirst(on, { ...sent, ...write, operation: name, caller: required(call.caller) }),
      perform: (on) =>
        this.#perform(call, on, async (result, reply) => ({
          status: operation.status ?? 200,
          body: this.#textOf(call.bound, result),
          headers: [...reply],
        })),
    })
    const reply = new Headers(answer.headers)
    this.#tell(reply, () => JSON.parse(answer.body))
    return this.#jsonResponse(answer.status, answer.body, { reply, cacheControl: 'no-store' })
  }

  /** Calls the handler, and gives what it made to `finish`, with the headers of the response. */
  async #perform<Answer>(
    { bound, authenticated, caller, body }: Call,
    on: Performing,
    finish: (result: unknown, reply: Headers) => Promise<Answer>,
  ): Promise<Answer> {
    const { name, operation } = bound
    const { dependencies } = this.#options
    const reply = new Headers()
    const spending = { caller, now: this.#now, address: this.#address }
    this.#budget = await openBudget(this.#options, operation, spending)
    const nonce = authenticated && 'fault' in authenticated ? authenticated.fault.nonce : authenticated?.nonce
    if (nonce) reply.set('DPoP-Nonce', nonce)
    const context: Context = {
      ...dependencies,
      ...on,
      ...{ ...spending, budget: this.#budget ?? noBudget, always: dependencies.db },
      worker: workerFor({ ...spending, ...dependencies, always: dependencies.db }),
      sentAt: this.#c.env.acting?.sentAt ?? this.#now,
      userAgent: () => this.#request.headers.get('user-agent'),
      request: this.#request,
      reply,
      sessionToken: this.#sessionToken,
      cookie: (name) => cookieIn(this.#request.headers, name),
      requireCaller: () => required(authorize({ ...operation.access, credential: 'required' }, authenticated)),
    }
    const input = await this.#read(bound, body)
    const output = await bound.handle(context, input, body.deferred)
    if (dependencies.config.development) this.#budget?.assertCounted()
    const own = (await this.#budget?.standings(dependencies.db)) ?? []
    for (const [name, value] of Object.entries(rateLimitHeaders([...this.#ofGrant, ...own]))) reply.set(name, value)
    if (reply.has('Set-Cookie') && !mayCarryCookie(operation)) throw new Error(`${name} must declare setsCookie`)
    // A handler that ended the session, or opened another, has set the cookie itself.
    if (authenticated?.caller && authenticated.renewedUntil && !reply.has('Set-Cookie')) {
      reply.append('Set-Cookie', this.#options.session.cookie(required(this.#sessionToken), authenticated.renewedUntil))
    }
    return finish(output, reply)
  }

  async #respond({ bound, authenticated }: Call, output: unknown, reply: Headers): Promise<Response> {
    const { operation } = bound
    if (isStream(operation.output)) {
      return streamAnswer(this.#request, output as StreamAnswer, { ...this.#headers, ...Object.fromEntries(reply) })
    }
    if (contentTypesOf(operation.output)) return this.#file(bound, output as FileAnswer, reply)
    const text = this.#textOf(bound, output)
    this.#tell(reply, () => output)
    const isShared = !authenticated && operation.method === 'GET' && operation.access.credential === 'optional'
    if (isShared) this.#c.env.keep?.(text, { ...this.#headers, 'Cache-Control': 'no-cache' })
    return this.#jsonResponse(operation.status ?? 200, text, {
      reply,
      cacheControl: isShared ? 'no-cache' : 'no-store',
    })
  }

  /** Tells a call in process of the cookies and of the result. */
  #tell(reply: Headers, result: () => unknown): void {
    const { onCookie, onResult } = this.#c.env
    if (onCookie) for (const line of reply.getSetCookie()) onCookie(line)
    onResult?.(result())
  }

  #textOf({ operation }: Bound, output: unknown): string {
    // A handler that breaks its contract is a bug: found in tests and development, not paid for in production.
    return JSON.stringify(this.#options.dependencies.config.development ? operation.output.parse(output) : output)
  }

  #jsonResponse(status: number, text: string, { reply, cacheControl }: { reply: Headers; cacheControl: string }) {
    const answerOf = this.#c.env.isInner ? innerJsonAnswer : jsonAnswer
    const response = answerOf(status, text, { ...this.#headers, 'Cache-Control': cacheControl })
    for (const [name, value] of reply) response.headers.append(name, value)
    return response
  }

  async #authenticate({ access }: Operation): Promise<Authenticated | Unproven | undefined> {
    if (access.credential === 'none' || this.#c.env.acting) return this.#c.env.acting
    this.#accessToken = presentedToken(this.#request, this.#c.env.shown)
    const credentials = { sessionToken: this.#sessionToken, accessToken: this.#accessToken }
    return noteCaller(this.#c.env, await authenticate(this.#options.authenticators, credentials, this.#now))
  }

  /** Path, query and body merged and parsed; the path wins over the others. A DELETE has a query, and may have a body. */
  async #read({ operation, bodied }: Bound, body: RequestBody): Promise<unknown> {
    // A write is made even if its client does not wait for the response.
    if (operation.method === 'GET' && isUnwanted()) throw new Problem('unavailable', 'The client has gone')
    if (operation.requireLength) requireLength(this.#request.headers)
    const query = bodied ? {} : this.#c.req.query()
    return parse(operation.input, { ...query, ...(await body.fields()), ...this.#c.req.param() })
  }

  async #file({ name, operation }: Bound, answer: FileAnswer, reply: Headers): Promise<Response> {
    const given = { file: answer, headers: this.#headers }
    const { file, headers } = isMemberFile(operation.output)
      ? placed(given, this.#request, this.#options.dependencies.config)
      : given
    const { outgoing } = this.#c.env
    const onFault = (error: unknown) =>
      this.#options.dependencies.log.error(
        { err: error, requestId: this.#c.env.requestId, operation: name },
        'file not sent whole',
      )
    return fileResponse(this.#request, file, { headers, reply, outgoing, onFault })
  }

  async #refuse({ name, operation }: Bound, error: unknown): Promise<Response> {
    const { dependencies } = this.#options
    const problem = problemOf(error, dependencies, { requestId: this.#c.env.requestId, operation: name })
    noteProblem(this.#c.env, problem)
    const { status, body, headers } = refusal(problem, operation, dependencies.config.baseUrl)
    // A request that was refused for another reason uses no budget, and its response states the budget.
    const standings =
      problem.details.standings ?? (problem === error ? await this.#budget?.standings(dependencies.db) : [])
    const challenge = inScheme(headers, problem, this.#accessToken?.scheme)
    return this.#send(status, body, { ...challenge, ...rateLimitHeaders([...this.#ofGrant, ...(standings ?? [])]) })
  }

  #send(status: number, body: string | null, extra: Record<string, string> = {}): Response {
    const headers = { ...this.#headers, 'Cache-Control': 'no-store', ...extra }
    return body === null ? new Response(null, { status, headers }) : jsonAnswer(status, body, headers)
  }
}
