// The API over HTTP: every operation under /api is a call (core/call.ts). Here a request becomes a call, and its result an answer.
import type { Hono, Context as HonoContext, HonoRequest } from 'hono'
import { z } from 'zod'
import { rateLimitHeaders } from '../../budgets/rules.ts'
import { contentTypesOf, type FileAnswer, isMemberFile, isStream, type StreamAnswer } from '../../contract/files.ts'
import { type Area, entriesOf, type Operation, placesOf } from '../../contract/operation.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { BoundOperation } from '../../core/bind.ts'
import { call } from '../../core/call.ts'
import type { CallRequest, CallResult, Core } from '../../core/call-request.ts'
import { problemOf } from '../../core/fault.ts'
import { accessOf } from '../../core/readers.ts'
import { cookieIn, type PresentedToken, presentedToken } from '../../request/credentials.ts'
import { once } from '../../runtime/once.ts'
import { schemaIn } from '../json-schema.ts'
import { bodyOf } from './body.ts'
import { filesConfigOf, leadToFiles, placed, requireOwnSite, VARY } from './origin.ts'
import type { Env } from './pipeline.ts'
import { nameRequest, noteCaller, noteProblem } from './pipeline.ts'
import {
  inScheme,
  jsonAnswer,
  OPERATION_HEADERS,
  openHeaders,
  preflightHeaders,
  privateHeaders,
  refusal,
  refusalOf,
  saidPrivately,
  streamAnswer,
  transportHeaders,
} from './response.ts'
import { type Route, routesOf } from './routes.ts'
import { fileResponse } from './send-file.ts'
import { formatAsked, type TableFormat, tableFormats } from './table-format.ts'

export interface HttpOptions {
  core: Core
  operations: readonly BoundOperation[]
  cookieName: string
  /** The area that speaks for unknown paths, by their beginning. */
  areaOf(path: string): Area
}

/** What all requests share. */
interface ExchangeOptions extends HttpOptions {
  headers: Record<string, string>
  /** What makes tables, with what all of them share; loaded for the first one. */
  tables: ReturnType<typeof tablesOf>
}

const tablesOf = () =>
  once(async () => {
    const { Tables, tableOf } = await import('./tables.ts')
    return { tableOf, tables: new Tables() }
  })

/** Mounts every operation below /api, and the response for every other path there, so it comes last. */
export function mountApi(app: Hono<Env>, options: HttpOptions): void {
  const headers = { ...openHeaders, ...transportHeaders(options.core.dependencies.config) }
  const mounted = { ...options, headers, tables: tablesOf() }
  for (const route of routesOf(options.operations)) {
    app.all(`/api${route.pattern}`, (c) => {
      const exchange = new Exchange(c, mounted)
      return isOff(route, options) ? exchange.unknownPath() : exchange.run(route)
    })
  }
  app.all('/api/*', (c) => new Exchange(c, mounted).unknownPath())
}

/** Whether everything at a path is of parts that are turned off. */
function isOff({ byMethod }: Route, { core }: HttpOptions): boolean {
  const { key, hasOperation } = partsOff(core.dependencies.config)
  return key !== '' && [...byMethod.values()].every(({ name }) => hasOperation(name))
}

/** One request and its answer. */
class Exchange {
  readonly #c: HonoContext<Env>
  readonly #options: ExchangeOptions
  readonly #headers: Record<string, string>
  readonly #request: Request
  #accessToken: PresentedToken | undefined

  constructor(c: HonoContext<Env>, options: ExchangeOptions) {
    this.#c = c
    this.#options = options
    this.#request = c.req.raw
    this.#headers = { ...options.headers, 'X-Request-Id': c.env.requestId }
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

  async #call(bound: BoundOperation): Promise<Response> {
    const { core, cookieName } = this.#options
    const { config } = core.dependencies
    const sessionToken = cookieIn(this.#request.headers, cookieName)
    requireOwnSite(this.#request, bound.operation, { sessionToken, baseUrl: config.baseUrl })
    const files = leadToFiles(this.#request, bound.operation, filesConfigOf(config))
    if (files) return this.#send(307, null, { Location: files, 'Cache-Control': 'public, max-age=3600', Vary: VARY })
    const request = this.#callOf(bound, sessionToken)
    const format = this.#formatOf(bound)
    if (format === 'csv' || format === 'jsonl') return this.#table(bound, request, format)
    const result = await call(core, bound, request)
    // After access is decided, as for any other input.
    if (format === 'unknown') throw new Problem('invalid_request', `format: must be one of ${tableFormats.join(', ')}`)
    return this.#respond(bound, result)
  }

  #callOf({ operation }: BoundOperation, sessionToken: string | undefined): CallRequest {
    const { env, req } = this.#c
    const { headers } = this.#request
    const { config } = this.#options.core.dependencies
    if (accessOf(operation.access, config).credential !== 'none') this.#accessToken = presentedToken(this.#request)
    return {
      requestId: env.requestId,
      credentials: { sessionToken, accessToken: this.#accessToken },
      path: req.param(),
      query: () => queryOf(operation, req),
      body: bodyOf(this.#request, env.incoming ?? this.#request.body),
      idempotencyKey: headers.get('idempotency-key') ?? undefined,
      isDryRun: prefersDryRun(headers),
      address: env.address ?? '127.0.0.1',
      sender: this.#request,
      onCaller: (found) => noteCaller(env, found),
    }
  }

  /** The format in which a list is asked for; all else is JSON, or a file. */
  #formatOf({ operation }: BoundOperation): ReturnType<typeof formatAsked> {
    const asked = formatAsked(this.#c.req.query('format'), this.#request.headers.get('accept'))
    return asked === 'json' || entriesOf(operation) === undefined ? 'json' : asked
  }

  async #table(bound: BoundOperation, request: CallRequest, format: TableFormat): Promise<Response> {
    const { core } = this.#options
    const { tableOf, tables } = await this.#options.tables()
    const { text, headers, reply } = await tableOf({ core, bound, request, format, tables })
    const expose = `${this.#headers['Access-Control-Expose-Headers']}, Link`
    const own = {
      ...this.#headers,
      'Access-Control-Expose-Headers': expose,
      'Cache-Control': 'no-store',
      Vary: `${this.#headers['Vary']}, Accept`,
    }
    const bytes = new TextEncoder().encode(text)
    const body = this.#request.method === 'HEAD' ? null : tables.sent.bodyOf(bytes, request.address)
    const response = new Response(body, {
      headers: { ...own, ...headers, 'Content-Length': String(bytes.byteLength) },
    })
    for (const [name, value] of reply) response.headers.append(name, value)
    return response
  }

  async #respond(bound: BoundOperation, result: CallResult): Promise<Response> {
    const { operation } = bound
    if (isStream(operation.output)) {
      const headers = { ...this.#headers, ...Object.fromEntries(result.reply) }
      return streamAnswer(this.#request, result.output as StreamAnswer, headers)
    }
    if (contentTypesOf(operation.output)) return this.#file(bound, result)
    const { isShared, ownUntil, reply, status, text } = result
    let headers: Record<string, string> = { ...this.#headers, 'Cache-Control': isShared ? 'no-cache' : 'no-store' }
    const response = saidPrivately((more) => {
      headers = { ...headers, ...more }
      return jsonAnswer(status, text, headers)
    }, this.#options.core.dependencies.config)
    let isPlain = status === 200
    for (const [name, value] of reply) {
      response.headers.append(name, value)
      isPlain = false
    }
    if (isPlain && (isShared || ownUntil !== undefined)) this.#c.env.keep?.(text, headers, ownUntil)
    return response
  }

  async #file({ name, operation }: BoundOperation, { output, reply }: CallResult): Promise<Response> {
    const { config, log } = this.#options.core.dependencies
    const sending = { file: output as FileAnswer, headers: this.#headers }
    const { file, headers } = privateHeaders(
      isMemberFile(operation.output) ? placed(sending, this.#request, filesConfigOf(config)) : sending,
      config,
    )
    const { outgoing, requestId } = this.#c.env
    const onFault = (error: unknown) => log.error({ err: error, requestId, operation: name }, 'file not sent whole')
    return fileResponse(this.#request, file, { headers, reply, outgoing, onFault })
  }

  #refuse({ name, operation }: BoundOperation, error: unknown): Response {
    const { dependencies } = this.#options.core
    const problem = problemOf(error, dependencies, { requestId: this.#c.env.requestId, operation: name })
    noteProblem(this.#c.env, problem)
    const { status, body, headers } = refusal(problem, operation, dependencies.config.baseUrl)
    const challenge = inScheme(headers, problem, this.#accessToken?.scheme)
    return this.#send(status, JSON.stringify(body), {
      ...challenge,
      ...rateLimitHeaders(problem.details.standings ?? []),
    })
  }

  #send(status: number, body: string | null, extra: Record<string, string> = {}): Response {
    const headers = { ...this.#headers, 'Cache-Control': 'no-store', ...extra }
    return body === null ? new Response(null, { status, headers }) : jsonAnswer(status, body, headers)
  }
}

const DRY_RUN = /^\s*handling\s*=\s*"?dry-run"?\s*(?:;|$)/i

/** Whether a header asks for a dry run (RFC 7240, 2). */
const prefersDryRun = (headers: Headers): boolean =>
  (headers.get('prefer') ?? '').split(',').some((preference) => DRY_RUN.test(preference))

const listsKnown = new WeakMap<Operation, string[]>()

/** The names in the query of an operation that can have several values. */
function listsOf(operation: Operation): string[] {
  const known = listsKnown.get(operation)
  if (known) return known
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const lists = placesOf(operation).query.filter((name) =>
    schemaIn(properties[name]).anyOf?.some((one) => schemaIn(one).type === 'array'),
  )
  listsKnown.set(operation, lists)
  return lists
}

/** The first value of each name, and every value of one that can have several. */
function queryOf(operation: Operation, request: HonoRequest): Record<string, string | string[]> {
  const given: Record<string, string | string[]> = request.query()
  for (const name of listsOf(operation)) {
    const values = request.queries(name)
    if (values && values.length > 1) given[name] = values
  }
  return given
}
