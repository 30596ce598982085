// The figures of /metrics, for Prometheus.
import type { Registry } from 'prom-client'
import { cacheCounts } from '../../database/commit-cache.ts'
import type { ReplicaReport } from '../../database/replica.ts'
import type { Dependencies } from '../../request/handler.ts'

interface Named {
  name: string
  help: string
}

interface Counted extends Named {
  labels: [string, string]
  /** Counts by their two labels, joined by `|`. */
  from: ReadonlyMap<string, number>
}

/** Adds figures of two sorts to a registry. They are read when they are asked for. */
interface Figures {
  counter(counted: Counted): void
  gauge(named: Named, read: () => number): void
}

/**
 * The figures. Requests are counted in a plain map, and labelled only when they are asked for. The library is loaded when they are
 * first asked for, as most processes never are; its own counts of collections and of the event loop begin then.
 */
export async function openRegistry(
  { health, fault, replica }: Pick<Dependencies, 'health' | 'fault' | 'replica'>,
  counts: ReadonlyMap<string, number>,
): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const figures = await figuresOf(registry)
  const { counter, gauge } = figures
  counter({
    name: 'guildhall_requests_total',
    help: 'Requests answered, by operation and status; "ready" are answers that were kept',
    labels: ['operation', 'status'],
    from: counts,
  })
  counter({
    name: 'guildhall_storage_errors_total',
    help: 'Times that something was not there to work with: the database, stored files or mail',
    labels: ['store', 'kind'],
    from: health.counts,
  })
  counter({
    name: 'guildhall_cache_lookups_total',
    help: 'Look-ups in the caches that a commit invalidates, by cache and outcome (found, missed)',
    labels: ['cache', 'outcome'],
    from: cacheCounts,
  })
  const refused = {
    name: 'guildhall_writes_refused',
    help: '1 while nothing can be written: the disk failed and the server must be restarted, or it is full',
  }
  gauge(refused, () => (fault?.() || health.isFull ? 1 : 0))
  if (replica) showReplica(figures, replica)
  return registry
}

function showReplica({ counter, gauge }: Figures, replica: ReplicaReport): void {
  counter({
    name: 'guildhall_replica_reads_total',
    help: 'Reads of requests that change nothing, by the server that took them (replica, primary) and why the primary did',
    labels: ['server', 'reason'],
    from: replica.counts,
  })
  const lag = {
    name: 'guildhall_replica_lag_seconds',
    help: 'Age of the newest state that the replica is known to have; NaN while nothing is known of it',
  }
  gauge(lag, () => replica.lagSeconds() ?? Number.NaN)
  const used = { name: 'guildhall_replica_used', help: '1 while reads go to the replica' }
  gauge(used, () => (replica.complaint() === undefined ? 1 : 0))
}

async function figuresOf(registry: Registry): Promise<Figures> {
  const { Counter, Gauge } = await import('prom-client')
  const registers = [registry]
  return {
    counter({ labels, from, ...naming }) {
      void new Counter({
        ...naming,
        labelNames: labels,
        registers,
        collect() {
          this.reset()
          for (const [key, count] of from) {
            const [first = '', second = ''] = key.split('|')
            this.inc({ [labels[0]]: first, [labels[1]]: second }, count)
          }
        },
      })
    },
    gauge(named, read) {
      void new Gauge({
        ...named,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
  }
}
