// What operators and their machines look at: /healthz, /readyz and /metrics (Prometheus). That the process runs and is ready
// anybody may ask; the figures and the reasons are for the operator.
import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import type { BoundOperation } from '../../core/bind.ts'
import type { JobRunner } from '../../core/jobs/runner.ts'
import type { Endpoint } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { isLoopback } from '../../runtime/addresses.ts'
import { pairsOf } from '../../runtime/counts.ts'
import { sameHash, sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { once } from '../../runtime/once.ts'
import { type Document, documentAnswer, mountReport, notFoundAnswer } from './document.ts'
import { Durations } from './durations.ts'
import { hostOf } from './origin.ts'
import type { Env, Observe, RequestContext } from './pipeline.ts'
import { lookAtReadiness } from './readiness.ts'

// Who is the operator: /metrics and the details of /readyz are for them alone (behaviour.md, section 0).

type Settings = Pick<Config, 'metricsToken' | 'metricsPort' | 'publicOrigin'>

/** A proxy on this machine makes every request come from loopback; each sends one of these. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a bearer token is the one that is set; it takes the same time for every wrong one. */
function hasMetricsToken(headers: Headers, token: string): boolean {
  const sent = headers.get('authorization')?.match(/^bearer +([^ ]+) *$/i)?.[1] ?? ''
  return sameHash(sha256(sent), sha256(token))
}

/**
 * Whether a request to the public listener comes from the operator. With METRICS_TOKEN the token decides; with METRICS_PORT
 * alone no request does. With neither it is a direct call from this machine to its own name, where the origin cannot be reached from elsewhere:
 * no proxy in between, and no page of another site (which could have its own name lead here).
 */
function isOperator(request: Request, { metricsToken, metricsPort, publicOrigin }: Settings, env: RequestContext = {}) {
  if (metricsToken !== undefined) return hasMetricsToken(request.headers, metricsToken)
  if (metricsPort !== undefined || publicOrigin) return false
  // A call in process that says nothing of who caused it has no cause outside.
  const { peer, address } = env
  if (peer === undefined) return address === undefined
  return isLoopbackAddress(peer) && isDirect(request)
}

/** Whether nothing stands between the caller and the listener, and the caller knows the listener as this machine. */
function isDirect(request: Request): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  return (
    isLoopback(URL.parse(`http://${hostOf(request)}`)?.hostname ?? '') &&
    !FORWARDING.some((name) => headers.has(name)) &&
    (site === null || site === 'same-origin' || site === 'none')
  )
}

const isLoopbackAddress = (address: string) => /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address)

const PLAIN = 'text/plain; charset=utf-8'

export interface Health {
  /** Counts a request for the metrics. */
  observe: Observe
  /** The same three, details and all, for the listener that only operators reach. */
  operatorFetch(request: Request): Promise<Response>
  /** From now on /readyz says that the server stops. */
  drain(): void
}

/** Mounts the three. What is `answering` is counted from the start. */
export function mountHealth(
  app: Hono<Env>,
  dependencies: Dependencies,
  { jobs, ...answering }: RequestSources & { jobs: JobRunner },
): Health {
  const { config } = dependencies
  const { observe, text: metrics } = metricsOf(dependencies, () => countedRequests(answering), jobs)
  const isAllowed = ({ req, env }: Context<Env>) => isOperator(req.raw, config, env)

  let isDraining = false
  const healthz = async (): Promise<Document> => ({ status: 200, contentType: PLAIN, text: 'ok\n' })
  /** With `seen`, the line about the request, also the details. */
  const readyz = async (seen?: string): Promise<Document> => {
    const { ready: works, details } = await lookAtReadiness(dependencies, seen === undefined ? [] : jobs.jobs)
    const ready = works && !isDraining
    if (isDraining) details.push('stopping: new requests go to other servers')
    const lines = [ready ? 'ready' : 'not ready', ...(seen === undefined ? [] : [...details, seen])]
    return { status: ready ? 200 : 503, contentType: PLAIN, text: `${lines.join('\n')}\n` }
  }
  const refused = (id: string) => (config.metricsToken === undefined ? notFoundAnswer(id) : tokenWanted(id))

  mountReport(app, '/healthz', async (c) => documentAnswer(c.env.requestId, await healthz()))
  mountReport(app, '/readyz', async (c) =>
    privately(documentAnswer(c.env.requestId, await readyz(isAllowed(c) ? seenOf(c.req.raw, c.env) : undefined))),
  )
  mountReport(app, '/metrics', async (c) =>
    isAllowed(c) ? privately(documentAnswer(c.env.requestId, await metrics(c.req.raw))) : refused(c.env.requestId),
  )

  return {
    observe,
    drain() {
      isDraining = true
    },
    async operatorFetch(request) {
      const report = {
        '/healthz': healthz,
        '/readyz': () => readyz(seenOf(request)),
        '/metrics': () => metrics(request),
      }[new URL(request.url).pathname]
      const id = newId()
      if (!report || !isDirect(request)) return notFoundAnswer(id)
      if (config.metricsToken !== undefined && !hasMetricsToken(request.headers, config.metricsToken)) {
        return tokenWanted(id)
      }
      return privately(documentAnswer(id, await report()))
    },
  }
}

/** Counts requests, and gives what Prometheus reads of them and of everything else. */
function metricsOf(dependencies: Dependencies, requests: () => readonly string[], jobs: JobRunner) {
  const counts = new Map<string, number>()
  const durations = new Durations()
  const open = (isOpenMetrics: boolean) =>
    once(async () => {
      const { openRegistry } = await import('./metrics.ts')
      return openRegistry(dependencies, { counts, requests: requests(), durations, jobs, isOpenMetrics })
    })
  const [plain, openMetrics] = [open(false), open(true)]
  const observe: Observe = (operation, status, took) => {
    if (took) durations.observe(operation, took.seconds, took.requestId)
    const key = `${operation}|${status}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    observe,
    /** Examples are part of the newer format alone. */
    async text({ headers }: Request): Promise<Document> {
      const isOpen = headers.get('accept')?.includes('application/openmetrics-text')
      const figures = await (isOpen ? openMetrics() : plain())
      return { status: 200, contentType: figures.contentType, text: await figures.metrics() }
    },
  }
}

/** What arrived of a request: `npm run admin -- check` compares it with what it sent. */
function seenOf(request: Request, { address = '', peer = '' }: RequestContext = {}): string {
  const forwarded = request.headers.get('x-forwarded-for') ?? ''
  return `request: host ${hostOf(request)}, client ${address}, peer ${peer}, forwarded ${forwarded}`
}

/** No page of another site may read it, not even where the operator's own browser could. */
function privately(answer: Response): Response {
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) answer.headers.delete(name)
  answer.headers.set('Cache-Control', 'no-store')
  return answer
}

function tokenWanted(id: string): Response {
  const answer = privately(
    documentAnswer(id, { status: 401, contentType: PLAIN, text: 'Send METRICS_TOKEN as a bearer token\n' }),
  )
  answer.headers.set('WWW-Authenticate', 'Bearer realm="metrics"')
  return answer
}

const FAILED = ['500', '503']
/** What is no operation of the API: what goes by other ways (listen.ts, mcp/mount.ts, site/mount.ts). */
const OTHERS = ['site', 'mcp']

interface RequestSources {
  operations: readonly BoundOperation[]
  endpoints: readonly Endpoint[]
}

/** The requests that are counted from the start, so that an alert hears of the first one that fails. By operation and status: what each answers when all is well, and when it fails. The protocol endpoints are paths with their methods. */
function countedRequests({ operations, endpoints }: RequestSources): string[] {
  const paths = endpoints.flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`))
  return [
    ...operations.flatMap(({ name, operation }) => pairsOf([name], [String(operation.status ?? 200), ...FAILED])),
    ...pairsOf([...OTHERS, ...paths], ['200', ...FAILED]),
    ...pairsOf(['ready'], ['200']),
    ...pairsOf(['overload'], ['503']),
  ]
}
