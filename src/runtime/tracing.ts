// OpenTelemetry traces (OTEL_EXPORTER_OTLP_ENDPOINT), with the W3C trace context in and out. Its packages are not part of an installation:
// the operator adds them. While they are off, a request costs one comparison more.
import type { Context, Span, SpanKind, SpanStatus } from '@opentelemetry/api'

interface Tracer {
  run<Result>(
    request: TracedRequest,
    work: () => Promise<Result>,
    end: (result: Result) => RequestOutcome,
  ): Promise<Result>
  statement<Result>(statement: TracedStatement, work: () => Result): Result
  /** The headers that continue the current trace elsewhere. */
  headers(): Record<string, string>
  close(): Promise<void>
}

export interface TracedRequest {
  method: string
  /** The headers that may have a trace context; none where it is not trusted. */
  headers: Headers | undefined
  isInner: boolean
}

interface TracedStatement {
  system: 'sqlite' | 'postgresql'
  /** Its template: values are parameters. */
  sql: string
}

/** What is known of a request once it is answered. */
export interface RequestOutcome {
  operation: string | undefined
  status: number
  requestId: string
}

let tracer: Tracer | undefined

export const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
] as const

/** Starts tracing to an endpoint of OTLP over HTTP. The SDK reads its other settings (OTEL_TRACES_SAMPLER, ...) itself. */
export async function openTracing(endpoint: string): Promise<void> {
  const [api, sdk, otlp, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]).catch((cause: unknown) => {
    throw new Error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but its packages are not there: npm install --no-save ${PACKAGES.join(' ')}`,
      {
        cause,
      },
    )
  })
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'guildhall' }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  provider.register()
  const spans = provider.getTracer('guildhall')
  const { context, propagation, trace } = api
  const headersGetter = {
    get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
    keys: (headers: Headers) => [...headers.keys()],
  }
  tracer = {
    async run({ method, headers, isInner }, work, end) {
      const active = context.active()
      const parent: Context = headers ? propagation.extract(active, headers, headersGetter) : active
      const kind: SpanKind = isInner ? api.SpanKind.INTERNAL : api.SpanKind.SERVER
      const span = spans.startSpan(method, { kind, attributes: { 'http.request.method': method } }, parent)
      try {
        const result = await context.with(trace.setSpan(parent, span), work)
        const ended = end(result)
        describe(span, method, ended)
        if (ended.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
        return result
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    statement({ system, sql }, work) {
      // What the server does by itself, such as looking for mail, would be traces of one span.
      if (!trace.getSpan(context.active())) return work()
      const attributes = { 'db.system.name': system, 'db.query.text': sql.slice(0, MOST_OF_STATEMENT) }
      return during(spans.startSpan(verbOf(sql), { kind: api.SpanKind.CLIENT, attributes }), work, () => ({
        code: api.SpanStatusCode.ERROR,
      }))
    },
    headers() {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      return carrier
    },
    async close() {
      tracer = undefined
      await provider.shutdown()
    },
  }
}

const MOST_OF_STATEMENT = 4_000

/** `SELECT`, `INSERT`: what a statement is called. */
const verbOf = (sql: string): string => /^\W*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'STATEMENT'

/** Ends the span when the work is done, which may be a promise. */
function during<Result>(span: Span, work: () => Result, failed: () => SpanStatus): Result {
  const fail = () => {
    span.setStatus(failed())
    span.end()
  }
  try {
    const result = work()
    if (result instanceof Promise) result.then(() => span.end(), fail)
    else span.end()
    return result
  } catch (error) {
    fail()
    throw error
  }
}

function describe(span: Span, method: string, { operation, status, requestId }: RequestOutcome): void {
  if (operation) span.updateName(`${method} ${operation}`)
  span.setAttributes({ 'http.response.status_code': status, 'guildhall.request_id': requestId })
  if (operation) span.setAttribute('guildhall.operation', operation)
}

/** Runs a request in a span, where there is tracing. */
export function traced<Result>(
  request: () => TracedRequest,
  work: () => Promise<Result>,
  end: (result: Result) => RequestOutcome,
): Promise<Result> {
  return tracer ? tracer.run(request(), work, end) : work()
}

/** Runs a statement of the database in a span below that of its request. */
export type TraceStatement = <Result>(sql: string, work: () => Result) => Result

/** For a database that is opened now: undefined where there is no tracing, so that statements cost nothing more. */
export function statementTracer(system: TracedStatement['system']): TraceStatement | undefined {
  return tracer && ((sql, work) => (tracer ? tracer.statement({ system, sql }, work) : work()))
}

/** The headers of a request to another service that continue the trace of this one. */
export const traceHeaders = (): Record<string, string> => tracer?.headers() ?? {}

/** Sends what is left, and stops. */
export const closeTracing = async (): Promise<void> => tracer?.close()
