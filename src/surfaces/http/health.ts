// What operators and their machines look at: /healthz, /readyz and /metrics (Prometheus).
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Ground } from '../../handler.ts'
import { mountReport } from './document.ts'
import type { Env } from './http.ts'

const PLAIN = 'text/plain; charset=utf-8'

/** Mounts the three; `observe` counts an answered request for the metrics. */
export function mountHealth(
  app: Hono<Env>,
  { db, log, fault }: Ground,
): { observe(operation: string, status: number): void } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counts = new Map<string, number>()
  const requests = new Counter({
    name: 'guildhall_requests_total',
    help: 'Requests answered, by operation and status; "ready" are answers that were kept',
    labelNames: ['operation', 'status'],
    registers: [registry],
    // Counted in a plain map, and labelled only when somebody looks.
    collect() {
      this.reset()
      for (const [key, count] of counts) {
        const [operation, status] = key.split('|') as [string, string]
        this.inc({ operation, status }, count)
      }
    },
  })
  void requests

  mountReport(app, '/healthz', async () => ({ status: 200, contentType: PLAIN, text: 'ok\n' }))
  mountReport(app, '/readyz', async () => {
    // Reads go on, but only a start helps those who write.
    if (fault?.()) return { status: 503, contentType: PLAIN, text: 'nothing is written any more; start it anew\n' }
    try {
      await sql`select 1`.execute(db)
      return { status: 200, contentType: PLAIN, text: 'ready\n' }
    } catch (error) {
      log.error({ err: error }, 'the database does not answer')
      return { status: 503, contentType: PLAIN, text: 'the database does not answer\n' }
    }
  })
  mountReport(app, '/metrics', async () => ({
    status: 200,
    contentType: registry.contentType,
    text: await registry.metrics(),
  }))

  return {
    observe(operation, status) {
      const key = `${operation}|${status}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
  }
}
