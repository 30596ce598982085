// The API over HTTP: every operation under /api, in one sequence of steps. The way of a request: route, cross-site check,
// identify, authorize, read, handle, answer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono, Context as HonoContext } from 'hono'
import type { z } from 'zod'
import { Exhausted } from '../../budgets/exhausted.ts'
import { rateLimitHeaders } from '../../budgets/headers.ts'
import { CallBudget, noBudget } from '../../budgets/writes.ts'
import { explain } from '../../contract/explain.ts'
import { contentTypesOf, type FileAnswer, isMemberFile } from '../../contract/files.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { challengeFor, type PresentedToken, presentedToken, type ShownKey } from '../../request/credentials.ts'
import type { Caller, Context, Ground, Judge } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { authorize, type Identified, identify, type Unproven, type WaysIn } from '../authorize.ts'
import type { Bound } from '../bind.ts'
import { apiHeaders, jsonAnswer, problemOf, refusal, refusalOf, STRICT_TRANSPORT } from './answer.ts'
import { DEFAULT_BODY_LIMIT, readJson, requireLength } from './body.ts'
import { cookieIn } from './cookie.ts'
import { leadToFiles, placed, VARY } from './files-origin.ts'
import { formReader } from './form.ts'
import { isCrossSite } from './origin.ts'
import { type Route, routesOf } from './routes.ts'
import { fileResponse } from './send-file.ts'

/** What the server knows of a request beyond the request itself. A call in process may leave all of it out. */
export interface Surroundings {
  address?: string
  /** The other end of the connection itself, which may be a proxy. */
  peer?: string
  /** Keeps an answer for strangers until the next commit; told only for answers that are the same for all of them. */
  keep?(body: string, headers: Record<string, string>): void
  /** The key that the request behind a call in process has shown: a proof is good for one request. */
  shown?: ShownKey
  /** Told of each request when it is answered. */
  observe?(operation: string, status: number): void
  /** Node's own request and answer: forms are read and files are sent without a web stream in between. */
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

export interface HttpOptions {
  ground: Ground
  operations: readonly Bound[]
  waysIn: WaysIn
  session: { cookieName: string; cookie(token: string, expiresAt: string): string }
  /** The area that speaks for paths nobody knows, by their beginning. */
  areaOf(path: string): Area
}

/** What all requests share. */
interface Mounted extends HttpOptions {
  headers: Record<string, string>
  cookie: RegExp
  exhausted: Exhausted
}

export interface Env {
  Bindings: Surroundings
}

/** Mounts every operation below /api, and an answer for whatever else is asked for there: so it comes last. */
export function mountApi(app: Hono<Env>, options: HttpOptions): void {
  const { config } = options.ground
  const headers = {
    ...apiHeaders,
    ...(config.baseUrl.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT }),
  }
  const cookie = new RegExp(`(?:^|; ?)${options.session.cookieName}=([^;]*)`)
  const mounted = { ...options, headers, cookie, exhausted: new Exhausted() }
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

/** One request and its answer. */
class Exchange {
  readonly #c: HonoContext<Env>
  readonly #options: Mounted
  readonly #headers: Record<string, string>
  readonly #request: Request
  readonly #id = newId()
  readonly #now: string
  readonly #sessionToken: string | undefined
  #budget: CallBudget | undefined
  #accessToken: PresentedToken | undefined

  constructor(c: HonoContext<Env>, options: Mounted) {
    this.#c = c
    this.#options = options
    this.#request = c.req.raw
    this.#headers = { ...options.headers, 'X-Request-Id': this.#id }
    this.#now = timestamp(options.ground.clock.now())
    this.#sessionToken = this.#request.headers.get('cookie')?.match(options.cookie)?.[1] || undefined
  }

  unknownPath(): Response {
    if (this.#request.method === 'OPTIONS') return this.#send('', 204, null)
    const area = this.#options.areaOf(new URL(this.#request.url).pathname)
    const { status, body } = refusalOf(area, new Problem('not_found', 'There is nothing here'))
    return this.#send('', status, body)
  }

  async run(route: Route): Promise<Response> {
    const method = this.#request.method === 'HEAD' ? 'GET' : this.#request.method
    if (method === 'OPTIONS') return this.#preflight(route)
    const bound = route.byMethod.get(method)
    if (!bound) {
      const problem = new Problem('method_not_allowed', `${route.path} takes ${route.allow}`)
      const { status, body } = refusalOf(route.area, problem)
      return this.#send(`${method} ${route.path}`, status, body, { Allow: route.allow })
    }
    try {
      return await this.#call(bound)
    } catch (error) {
      return this.#refuse(bound, error)
    }
  }

  async #call(bound: Bound): Promise<Response> {
    const { name, operation, handle } = bound
    const { ground } = this.#options
    const method = operation.method
    this.#requireOwnSite(operation)
    const files = leadToFiles(this.#request, operation, ground.config)
    if (files)
      return this.#send(name, 307, null, { Location: files, 'Cache-Control': 'public, max-age=3600', Vary: VARY })
    const identified = await this.#identify(operation)
    const caller = authorize(operation.access, identified)
    const reply = new Headers()
    const address = this.#c.env?.address ?? '127.0.0.1'
    const budget = await this.#openBudget(operation, caller, address)
    const nonce = identified && 'fault' in identified ? identified.fault.nonce : identified?.nonce
    if (nonce) reply.set('DPoP-Nonce', nonce)
    const context: Context = {
      ...ground,
      caller,
      now: this.#now,
      address,
      budget,
      userAgent: () => this.#request.headers.get('user-agent'),
      request: this.#request,
      reply,
      sessionToken: this.#sessionToken,
      cookie: (name) => cookieIn(this.#request.headers, name),
      requireCaller: () => authorize({ ...operation.access, credential: 'required' }, identified)!,
    }
    const input = await this.#read(bound)
    const source = { headers: this.#request.headers, body: this.#c.env?.incoming ?? this.#request.body }
    const form = operation.upload && formReader(source, operation.upload, ground.blobs.artifacts)
    const body = form?.read ?? this.#lateBody(operation)
    const output = await handle(context, input, body).finally(() => form?.discard())
    if (ground.config.development) this.#budget?.assertCounted()
    if (this.#budget) await this.#sayStandings(this.#budget, reply)
    if (reply.has('Set-Cookie') && !mayCarryCookie(operation)) throw new Error(`${name} must declare setsCookie`)
    // A handler that ended the session, or opened another, has set the cookie itself.
    if (identified?.caller && identified.renewedUntil && !reply.has('Set-Cookie')) {
      reply.append('Set-Cookie', this.#options.session.cookie(this.#sessionToken!, identified.renewedUntil))
    }
    if (contentTypesOf(operation.output)) return this.#file(bound, output as FileAnswer, reply)
    // A handler that breaks its contract is a bug: found in tests and development, not paid for in production.
    const result = ground.config.development ? operation.output.parse(output) : output
    const text = JSON.stringify(result)
    const forStrangers = !identified && method === 'GET' && operation.access.credential === 'optional'
    const headers = { ...this.#headers, 'Cache-Control': forStrangers ? 'no-cache' : 'no-store' }
    if (forStrangers) this.#c.env?.keep?.(text, headers)
    return this.#answer(name, operation.status ?? 200, text, headers, reply)
  }

  /** Refuses what is over budget before any of a body is read: the dearer the body, the closer the look. */
  async #openBudget({ budget: name, upload }: Operation, spender: Caller | undefined, address: string) {
    if (!name) return noBudget
    const { ground, exhausted } = this.#options
    const budgets = ground.config.rateLimits ? ground.config.budgets : undefined
    this.#budget = new CallBudget({ budgets, name, spender, address, now: this.#now, exhausted })
    await this.#budget.precheck(ground.db, { reads: upload !== undefined || name === 'orgs' })
    return this.#budget
  }

  async #sayStandings(budget: CallBudget, reply: Headers): Promise<void> {
    const standings = await budget.standings(this.#options.ground.db)
    for (const [name, value] of Object.entries(rateLimitHeaders(standings))) reply.set(name, value)
  }

  /** Nothing that another site sends acts for whom the cookie is of, or changes whom it is of (behaviour.md, section 1). */
  #requireOwnSite(operation: Operation): void {
    if (operation.method === 'GET' || !(this.#sessionToken || operation.setsCookie)) return
    if (isCrossSite(this.#request.headers, this.#options.ground.config.baseUrl)) {
      throw new Problem('forbidden', 'This request came from another site')
    }
  }

  async #identify({ access }: Operation): Promise<Identified | Unproven | undefined> {
    if (access.credential === 'none') return undefined
    this.#accessToken = presentedToken(this.#request, this.#c.env?.shown)
    const credentials = { sessionToken: this.#sessionToken, accessToken: this.#accessToken }
    return identify(this.#options.waysIn, credentials, this.#now)
  }

  /** Path, query and body merged and parsed; the path wins over the others. A DELETE has a query, and may have a body. */
  async #read({ operation, bodied }: Bound): Promise<unknown> {
    if (operation.requireLength) requireLength(this.#request.headers)
    const query = bodied ? {} : this.#c.req.query()
    const body = bodied || operation.method === 'DELETE' ? await this.#json(operation) : {}
    return parse(operation.input, { ...query, ...body, ...this.#c.req.param() })
  }

  #lateBody(operation: Operation): ((judge?: Judge) => Promise<unknown>) | undefined {
    const { lateBody } = operation
    if (!lateBody) return undefined
    return async (judge) => {
      const given = await this.#json(operation)
      judge?.(given)
      return parse(lateBody, given)
    }
  }

  #json({ bodyLimitBytes = DEFAULT_BODY_LIMIT }: Operation): Promise<Record<string, unknown>> {
    return readJson(this.#request, bodyLimitBytes)
  }

  async #file({ name, operation }: Bound, answer: FileAnswer, reply: Headers): Promise<Response> {
    const given = { file: answer, headers: this.#headers }
    const { file, headers } = isMemberFile(operation.output)
      ? placed(given, this.#request, this.#options.ground.config)
      : given
    const outgoing = this.#c.env?.outgoing
    const onFault = (error: unknown) =>
      this.#options.ground.log.error({ err: error, requestId: this.#id, operation: name }, 'file not sent whole')
    const response = await fileResponse(this.#request, file, { headers, reply, outgoing, onFault })
    this.#observe(name, outgoing?.headersSent ? outgoing.statusCode : response.status)
    return response
  }

  async #refuse({ name, operation }: Bound, error: unknown): Promise<Response> {
    const { ground } = this.#options
    const problem = problemOf(error, ground, { requestId: this.#id, operation: name })
    const { status, body, headers } = refusal(problem, operation, ground.config.baseUrl)
    // What was refused for another reason used up nothing, and says where the budget stands.
    const standings = problem.details.standings ?? (problem === error ? await this.#budget?.standings(ground.db) : [])
    return this.#send(name, status, body, { ...this.#inScheme(headers, problem), ...rateLimitHeaders(standings ?? []) })
  }

  /** A challenge in the scheme that the token came with. */
  #inScheme(headers: Record<string, string>, { details: { fault, nonce } }: Problem): Record<string, string> {
    const challenge = headers['WWW-Authenticate']
    const next = fault?.nonce ?? nonce
    return {
      ...headers,
      ...(challenge && { 'WWW-Authenticate': challengeFor(challenge, this.#accessToken?.scheme ?? 'Bearer', fault) }),
      ...(next && { 'DPoP-Nonce': next }),
    }
  }

  #preflight({ allow }: Route): Response {
    return this.#send('', 204, null, {
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP',
      'Access-Control-Max-Age': '86400',
    })
  }

  #send(name: string, status: number, body: string | null, extra: Record<string, string> = {}): Response {
    return this.#answer(name, status, body, { ...this.#headers, 'Cache-Control': 'no-store', ...extra })
  }

  #observe(name: string, status: number): void {
    this.#c.env?.observe?.(name, status)
    const { log } = this.#options.ground
    if (log.isLevelEnabled('debug')) {
      log.debug({ requestId: this.#id, method: this.#request.method, operation: name, status }, 'request')
    }
  }

  #answer(
    name: string,
    status: number,
    body: string | null,
    headers: Record<string, string>,
    reply?: Headers,
  ): Response {
    this.#observe(name, status)
    return body === null ? new Response(null, { status, headers }) : jsonAnswer(status, body, headers, reply)
  }
}
