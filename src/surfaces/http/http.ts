// The API over HTTP: every operation under /api, in one sequence of steps. The way of a request: route, cross-site check,
// authenticate, authorize, read, handle, answer.
import type { Hono, Context as HonoContext } from 'hono'
import type { z } from 'zod'
import { Exhausted } from '../../budgets/exhausted.ts'
import { rateLimitHeaders } from '../../budgets/headers.ts'
import { CallBudget, noBudget } from '../../budgets/writes.ts'
import { explain } from '../../contract/explain.ts'
import { contentTypesOf, type FileAnswer, isMemberFile, isStream, type StreamAnswer } from '../../contract/files.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { type PresentedToken, presentedToken } from '../../request/credentials.ts'
import type { Caller, Context, Dependencies, Precheck } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { isUnwanted } from '../../runtime/wanted.ts'
import { type Authenticated, type Authenticators, authenticate, authorize, type Unproven } from '../authorize.ts'
import type { Bound } from '../bind.ts'
import { DEFAULT_BODY_LIMIT, readJson, requireLength } from './body.ts'
import { cookieIn } from './cookie.ts'
import { leadToFiles, placed, VARY } from './files-origin.ts'
import { formReader } from './form.ts'
import { openHeaders, preflightHeaders, transportHeaders } from './headers.ts'
import { isCrossSite } from './origin.ts'
import type { Env } from './pipeline.ts'
import { innerJsonAnswer, inScheme, jsonAnswer, problemOf, refusal, refusalOf } from './response.ts'
import { type Route, routesOf } from './routes.ts'
import { fileResponse } from './send-file.ts'

export interface HttpOptions {
  dependencies: Dependencies
  operations: readonly Bound[]
  authenticators: Authenticators
  session: { cookieName: string; cookie(token: string, expiresAt: string): string }
  /** The area that speaks for unknown paths, by their beginning. */
  areaOf(path: string): Area
}

/** What all requests share. */
interface Mounted extends HttpOptions {
  headers: Record<string, string>
  exhausted: Exhausted
}

/** Mounts every operation below /api, and an answer for every other path there: so it comes last. */
export function mountApi(app: Hono<Env>, options: HttpOptions): void {
  const { config } = options.dependencies
  const headers = { ...openHeaders, ...transportHeaders(config) }
  const mounted = { ...options, headers, exhausted: new Exhausted() }
  for (const route of routesOf(options.operations)) {
    app.all(`/api${route.pattern}`, (c) => new Exchange(c, mounted).run(route))
  }
  app.all('/api/*', (c) => new Exchange(c, mounted).unknownPath())
}

function parse(schema: z.ZodObject, given: unknown): unknown {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new Problem('invalid_request', explain(parsed.error))
  return parsed.data
}

/** An operation for sessions is refused to other sites by the cookie that it needs. */
const mayCarryCookie = ({ setsCookie, access }: Operation) => setsCookie || access.credential === 'session'

const ALLOWED_HEADERS = 'Authorization, Content-Type, DPoP'

/** One request and its answer. */
class Exchange {
  readonly #c: HonoContext<Env>
  readonly #options: Mounted
  readonly #headers: Record<string, string>
  readonly #request: Request
  readonly #now: string
  readonly #sessionToken: string | undefined
  #budget: CallBudget | undefined
  #accessToken: PresentedToken | undefined

  constructor(c: HonoContext<Env>, options: Mounted) {
    this.#c = c
    this.#options = options
    this.#request = c.req.raw
    this.#headers = { ...options.headers, 'X-Request-Id': c.env.requestId }
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
    this.#c.env.operation = bound?.name ?? (method === 'OPTIONS' ? '' : `${method} ${route.path}`)
    if (method === 'OPTIONS') return this.#send(204, null, preflightHeaders(route.allow, ALLOWED_HEADERS))
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
    const { name, operation, handle } = bound
    const { dependencies } = this.#options
    const method = operation.method
    this.#requireOwnSite(operation)
    const files = leadToFiles(this.#request, operation, dependencies.config)
    if (files) return this.#send(307, null, { Location: files, 'Cache-Control': 'public, max-age=3600', Vary: VARY })
    const authenticated = await this.#authenticate(operation)
    const caller = authorize(operation.access, authenticated)
    const reply = new Headers()
    const address = this.#c.env.address ?? '127.0.0.1'
    const budget = await this.#openBudget(operation, caller, address)
    const nonce = authenticated && 'fault' in authenticated ? authenticated.fault.nonce : authenticated?.nonce
    if (nonce) reply.set('DPoP-Nonce', nonce)
    const context: Context = {
      ...dependencies,
      caller,
      now: this.#now,
      address,
      budget,
      userAgent: () => this.#request.headers.get('user-agent'),
      request: this.#request,
      reply,
      sessionToken: this.#sessionToken,
      cookie: (name) => cookieIn(this.#request.headers, name),
      requireCaller: () => required(authorize({ ...operation.access, credential: 'required' }, authenticated)),
    }
    const input = await this.#read(bound)
    const source = { headers: this.#request.headers, body: this.#c.env.incoming ?? this.#request.body }
    const form = operation.upload && formReader(source, operation.upload, dependencies.blobs.artifacts)
    const body = form?.read ?? this.#deferredBody(operation)
    const output = await handle(context, input, body).finally(() => form?.discard())
    if (dependencies.config.development) this.#budget?.assertCounted()
    if (this.#budget) await this.#sayStandings(this.#budget, reply)
    if (reply.has('Set-Cookie') && !mayCarryCookie(operation)) throw new Error(`${name} must declare setsCookie`)
    // A handler that ended the session, or opened another, has set the cookie itself.
    if (authenticated?.caller && authenticated.renewedUntil && !reply.has('Set-Cookie')) {
      reply.append('Set-Cookie', this.#options.session.cookie(required(this.#sessionToken), authenticated.renewedUntil))
    }
    if (this.#c.env.onCookie) for (const line of reply.getSetCookie()) this.#c.env.onCookie(line)
    if (isStream(operation.output)) return this.#stream(output as StreamAnswer, reply)
    if (contentTypesOf(operation.output)) return this.#file(bound, output as FileAnswer, reply)
    // A handler that breaks its contract is a bug: found in tests and development, not paid for in production.
    const result = dependencies.config.development ? operation.output.parse(output) : output
    this.#c.env.onResult?.(result)
    const text = JSON.stringify(result)
    const isShared = !authenticated && method === 'GET' && operation.access.credential === 'optional'
    const headers = { ...this.#headers, 'Cache-Control': isShared ? 'no-cache' : 'no-store' }
    if (isShared) this.#c.env.keep?.(text, headers)
    const answerOf = this.#c.env.isInner ? innerJsonAnswer : jsonAnswer
    const response = answerOf(operation.status ?? 200, text, headers)
    for (const [name, value] of reply) response.headers.append(name, value)
    return response
  }

  /** Refuses what is over budget before any of a body is read: the dearer the body, the closer the look. */
  async #openBudget({ budget: name, upload, bodyLimitBytes }: Operation, spender: Caller | undefined, address: string) {
    if (!name) return noBudget
    const { dependencies, exhausted } = this.#options
    const budgets = dependencies.config.rateLimits ? dependencies.config.budgets : undefined
    this.#budget = new CallBudget({ budgets, name, spender, address, now: this.#now, exhausted })
    const reads = upload !== undefined || bodyLimitBytes !== undefined
    await this.#budget.precheck(dependencies.db, { reads })
    return this.#budget
  }

  async #sayStandings(budget: CallBudget, reply: Headers): Promise<void> {
    const standings = await budget.standings(this.#options.dependencies.db)
    for (const [name, value] of Object.entries(rateLimitHeaders(standings))) reply.set(name, value)
  }

  /** Nothing that another site sends acts for whom the cookie is of, or changes whom it is of (behaviour.md, section 1). */
  #requireOwnSite(operation: Operation): void {
    if (operation.method === 'GET' || !(this.#sessionToken || operation.setsCookie)) return
    if (isCrossSite(this.#request.headers, this.#options.dependencies.config.baseUrl)) {
      throw new Problem('forbidden', 'This request came from another site')
    }
  }

  async #authenticate({ access }: Operation): Promise<Authenticated | Unproven | undefined> {
    if (access.credential === 'none') return undefined
    this.#accessToken = presentedToken(this.#request, this.#c.env.shown)
    const credentials = { sessionToken: this.#sessionToken, accessToken: this.#accessToken }
    return authenticate(this.#options.authenticators, credentials, this.#now)
  }

  /** Path, query and body merged and parsed; the path wins over the others. A DELETE has a query, and may have a body. */
  async #read({ operation, bodied }: Bound): Promise<unknown> {
    // A write is made all the same: its client may not wait for the response.
    if (operation.method === 'GET' && isUnwanted()) throw new Problem('unavailable', 'The client has gone')
    if (operation.requireLength) requireLength(this.#request.headers)
    const query = bodied ? {} : this.#c.req.query()
    const body = bodied || operation.method === 'DELETE' ? await this.#json(operation) : {}
    return parse(operation.input, { ...query, ...body, ...this.#c.req.param() })
  }

  #deferredBody(operation: Operation): ((precheck?: Precheck) => Promise<unknown>) | undefined {
    const { deferredBody } = operation
    if (!deferredBody) return undefined
    return async (precheck) => {
      const given = await this.#json(operation)
      precheck?.(given)
      return parse(deferredBody, given)
    }
  }

  #json({ bodyLimitBytes = DEFAULT_BODY_LIMIT }: Operation): Promise<Record<string, unknown>> {
    return readJson(this.#request, bodyLimitBytes)
  }

  /** Proxies pass it on as it comes, and nothing keeps it. */
  #stream({ contentType, body }: StreamAnswer, reply: Headers): Response {
    const own = { 'Content-Type': contentType, 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' }
    const headers = { ...this.#headers, ...Object.fromEntries(reply), ...own }
    if (this.#request.method !== 'HEAD') return new Response(body, { headers })
    void body.cancel()
    return new Response(null, { headers })
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
    const { status, body, headers } = refusal(problem, operation, dependencies.config.baseUrl)
    // What was refused for another reason used up nothing, and says where the budget stands.
    const standings =
      problem.details.standings ?? (problem === error ? await this.#budget?.standings(dependencies.db) : [])
    const challenge = inScheme(headers, problem, this.#accessToken?.scheme)
    return this.#send(status, body, { ...challenge, ...rateLimitHeaders(standings ?? []) })
  }

  #send(status: number, body: string | null, extra: Record<string, string> = {}): Response {
    const headers = { ...this.#headers, 'Cache-Control': 'no-store', ...extra }
    return body === null ? new Response(null, { status, headers }) : jsonAnswer(status, body, headers)
  }
}
