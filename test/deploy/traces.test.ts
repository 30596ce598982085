// OpenTelemetry traces: they go on from the caller to the collector, and each statement of the database is a span.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { onEngines } from '../databases.ts'
import { type Environment, startServer, type TestServer, withFolder } from '../server.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  /** 2 for an error. */
  status: { code?: number }
}

interface Spans {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

/** What a collector got from a server that `work` used. */
async function spansOf(settings: Environment, work: (server: TestServer) => Promise<void>): Promise<Span[]> {
  const bodies: Spans[] = []
  const collector = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    outgoing.setHeader('Content-Type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const server = await startServer({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` })
  await work(server).finally(() => server.end('SIGTERM'))
  collector.close()
  return bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`

describe('traces', () => {
  it('go to a collector, and continue the trace of the caller', () =>
    withFolder(async (DATA_DIR) => {
      const spans = await spansOf({ DATA_DIR }, async ({ url }) => {
        assert.equal((await fetch(`${url}/api/community/feed`, { headers: { traceparent } })).status, 200)
        assert.equal((await fetch(`${url}/api/community/posts`)).status, 200)
      })
      const [feed, posts] = ['GET feed.list', 'GET posts.list'].map((name) => spans.find((span) => span.name === name))
      assert.deepEqual([feed?.traceId, feed?.parentSpanId, feed?.kind], [TRACE, '00f067aa0ba902b7', 2])
      assert.ok(posts && posts.traceId !== TRACE && !posts.parentSpanId, JSON.stringify(posts))
    }))

  it('have a span for each call of a page; one that is refused has its status, and is no error', () =>
    withFolder(async (DATA_DIR) => {
      const spans = await spansOf({ DATA_DIR }, async ({ url }) => {
        assert.equal((await fetch(`${url}/community/bugs/00000000-0000-7000-8000-000000000000`)).status, 404)
      })
      const page = spans.find(({ name, kind }) => name === 'GET site' && kind === 2)
      const call = spans.find(({ name }) => name === 'GET bugs.get')
      assert.deepEqual([call?.kind, call?.traceId, call?.status.code ?? 0], [1, page?.traceId, 0])
      const status = call?.attributes.find(({ key }) => key === 'http.response.status_code')?.value
      assert.equal(status?.intValue, 404)
    }))

  onEngines('traces', (open) => {
    it('have a span for each statement of a request, with its template and no values', () =>
      withFolder(async (DATA_DIR) => {
        const { url: DATABASE_URL, remove } = await open()
        const isPostgres = DATABASE_URL.startsWith('postgres')
        const spans = await spansOf({ DATA_DIR, ...(isPostgres && { DATABASE_URL }) }, async ({ url }) => {
          const headers = { 'Content-Type': 'application/json', traceparent }
          const body = JSON.stringify({
            name: 'Carol',
            email: 'carol@example.com',
            password: 'correct horse battery',
          })
          assert.equal((await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })).status, 200)
        })
        await remove()
        const request = spans.find(({ kind, traceId }) => kind === 2 && traceId === TRACE)
        const statements = spans.filter(({ kind, traceId }) => kind === 3 && traceId === TRACE)
        const textOf = ({ attributes }: Span) =>
          attributes.find(({ key }) => key === 'db.query.text')?.value.stringValue ?? ''
        const insertion = statements.find((span) => /^insert into "user"/.test(textOf(span)))
        assert.deepEqual([insertion?.name, insertion?.parentSpanId], ['INSERT', request?.spanId])
        assert.doesNotMatch(JSON.stringify(statements), /carol|Carol|correct horse/)
        assert.ok(statements.length < 100, `${statements.length} statements`)
      }))
  })
})
