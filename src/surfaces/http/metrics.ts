// The figures of /metrics, for Prometheus.
import {
  collectDefaultMetrics,
  openMetricsContentType,
  prometheusContentType,
  Registry,
  type RegistryContentType,
} from 'prom-client'
import { refusalCounts } from '../../budgets/counting.ts'
import { policiesOf } from '../../budgets/policies.ts'
import type { JobRunner } from '../../core/jobs/runner.ts'
import { engineOf } from '../../database/engine.ts'
import type { PoolState } from '../../database/postgres.ts'
import type { ReplicaReport } from '../../database/replica.ts'
import type { ReplicasReport } from '../../database/replicas.ts'
import { listWaiting, queueNames } from '../../database/waiting-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { backupAges } from '../../runtime/backup-times.ts'
import { machineClock, timestamp } from '../../runtime/clock.ts'
import { blobCounts, cacheCounts, commitCounts, mailCounts, workNow } from '../../runtime/counts.ts'
import { SERVER_VERSION } from '../../runtime/installation.ts'
import { outageOf } from '../../runtime/outage.ts'
import type { Durations } from './durations.ts'
import { Figures, showJobs } from './figures.ts'
import { signedCounts, signedOutcomes } from './signed-requests.ts'

type MetricDependencies = Pick<Dependencies, 'db' | 'clock' | 'config' | 'health' | 'fault' | 'replicas' | 'pool'>

interface Sources {
  counts: ReadonlyMap<string, number>
  /** The requests that are counted from the start, by operation and status. */
  requests: readonly string[]
  durations: Durations
  jobs: JobRunner
  /** The format with examples; a registry has one format. */
  isOpenMetrics: boolean
}

/**
 * The figures. Requests are counted in plain maps, and labelled only when they are asked for. This module is loaded when they are
 * first asked for, as most processes never are; the library's own counts of collections and of the event loop begin then.
 */
export function openRegistry(
  dependencies: MetricDependencies,
  { isOpenMetrics, jobs, ...requests }: Sources,
): Registry<RegistryContentType> {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(isOpenMetrics ? openMetricsContentType : prometheusContentType)
  collectDefaultMetrics({ register: registry })
  const figures = new Figures(registry)
  showRequests(figures, dependencies, requests)
  showStores(figures, dependencies)
  showBackground(figures, dependencies)
  showJobs(figures, dependencies, jobs)
  showBackups(figures, dependencies)
  const { replicas, pool } = dependencies
  if (replicas) showReplicas(figures, replicas)
  if (pool) showPool(figures, () => pool())
  return registry
}

function showRequests(
  figures: Figures,
  { config }: MetricDependencies,
  { counts, requests, durations }: Omit<Sources, 'isOpenMetrics' | 'jobs'>,
): void {
  figures.counter({
    name: 'guildhall_requests_total',
    help: 'Requests answered, by operation and status; "ready" are answers that were kept',
    labels: ['operation', 'status'],
    from: counts,
    also: requests,
  })
  figures.durations(
    {
      name: 'guildhall_request_duration_seconds',
      help: 'Time from a request to the head of its response, by operation; without answers that were kept',
    },
    durations,
  )
  figures.counter({
    name: 'guildhall_signed_requests_total',
    help: 'Requests that say which program signed them (Web Bot Auth), by result: verified, unknown, refused',
    labels: ['outcome'],
    from: signedCounts,
    also: signedOutcomes,
  })
  figures.counter({
    name: 'guildhall_budget_refusals_total',
    help: 'Calls that were over a budget, by its policy and whose it was: account, or shared by a network',
    labels: ['policy', 'of'],
    from: refusalCounts,
    also: policiesOf(config.budgets),
  })
}

function showStores(figures: Figures, { db, clock, health, fault }: MetricDependencies): void {
  const difference = {
    name: 'guildhall_clock_difference_seconds',
    help: 'By how much the clock of this machine is ahead of the time that is used: of PostgreSQL, or of what is stored',
  }
  figures.gauge(difference, () => (clock.difference?.() ?? 0) / 1_000)
  figures.counter({
    name: 'guildhall_storage_errors_total',
    help: 'Times that something was not there to work with: the database, stored files or mail',
    labels: ['store', 'kind'],
    from: health.counts,
  })
  figures.counter({
    name: 'guildhall_cache_lookups_total',
    help: 'Look-ups in the caches that a commit invalidates, by cache and outcome (found, missed)',
    labels: ['cache', 'outcome'],
    from: cacheCounts.all,
  })
  figures.counter({
    name: 'guildhall_blob_operations_total',
    help: 'Calls of the store of files, by operation and outcome (done, failed)',
    labels: ['operation', 'outcome'],
    from: blobCounts.all,
  })
  figures.counter({
    name: 'guildhall_sqlite_writes_total',
    help: 'Commits of SQLite, and the transactions that shared them',
    labels: ['what'],
    from: commitCounts.all,
  })
  const refused = {
    name: 'guildhall_writes_refused',
    help: '1 while nothing can be written: the disk failed and the server must be restarted, or it is full',
  }
  figures.gauge(refused, () => (fault?.() || health.isFull ? 1 : 0))
  const build = { name: 'guildhall_build_info', help: '1, with the versions of the server and of Node, and the engine' }
  figures.labelled(build, ['version', 'node', 'engine'], async () => [
    { labels: { version: SERVER_VERSION, node: process.versions.node, engine: engineOf(db) }, value: 1 },
  ])
}

function showBackground(figures: Figures, { db, clock }: MetricDependencies): void {
  figures.counter({
    name: 'guildhall_mails_total',
    help: 'Mails by outcome (sent, retried, given_up)',
    labels: ['outcome'],
    from: mailCounts.all,
  })
  const running = { name: 'guildhall_work_running', help: 'Work of requests in threads and image processes' }
  figures.gauge(running, () => workNow.running)
  figures.gauge({ name: 'guildhall_work_waiting', help: 'Work that waits for one of them' }, () => workNow.waiting)
  const now = () => timestamp(clock.now())
  // Without the database there are no figures of its queues; storage errors tell of that.
  const waiting = () =>
    listWaiting(db, now()).catch((error: unknown) => {
      if (!outageOf(error)) throw error
      return undefined
    })
  figures.labelled({ name: 'guildhall_queue_depth', help: 'Rows that wait, by queue' }, ['queue'], async () => {
    const found = await waiting()
    return queueNames.flatMap((queue) => (found ? [{ labels: { queue }, value: found[queue].count }] : []))
  })
  const age = {
    name: 'guildhall_queue_age_seconds',
    help: 'Age of the oldest row that waits, by queue; 0 for an empty one',
  }
  figures.labelled(age, ['queue'], async () => {
    const found = await waiting()
    const ageOf = (oldestAt: string | null) => (oldestAt ? Math.max(0, (clock.now() - Date.parse(oldestAt)) / 1000) : 0)
    return queueNames.flatMap((queue) => (found ? [{ labels: { queue }, value: ageOf(found[queue].oldestAt) }] : []))
  })
}

function showBackups(figures: Figures, { config }: MetricDependencies): void {
  const age = {
    name: 'guildhall_backup_age_seconds',
    help: 'Age of the last backup on this machine, and of the changes that a continuous one has all of; NaN where there was none',
  }
  figures.labelled(age, ['what'], async () =>
    Object.entries(backupAges(config.dataDir, machineClock.now())).map(([what, value]) => ({
      labels: { what },
      value,
    })),
  )
}

function showPool(figures: Figures, state: () => PoolState): void {
  const pool = { name: 'guildhall_pool_connections', help: 'Connections for transactions to PostgreSQL, by state' }
  figures.labelled(pool, ['state'], async () => {
    const { total, idle } = state()
    return [
      { labels: { state: 'used' }, value: total - idle },
      { labels: { state: 'idle' }, value: idle },
    ]
  })
  const waiting = { name: 'guildhall_pool_waiting', help: 'Transactions that wait for a connection' }
  figures.gauge(waiting, () => state().waiting)
}

function showReplicas(figures: Figures, { counts, each }: ReplicasReport): void {
  figures.counter({
    name: 'guildhall_replica_reads_total',
    help: 'Reads of requests that change nothing, by the server that took them (replica, primary), why the primary did, and which replica',
    labels: ['server', 'reason', 'replica'],
    from: counts,
  })
  const show = (name: string, help: string, figureOf: (replica: ReplicaReport) => number | undefined) =>
    figures.labelled({ name, help }, ['replica'], async () =>
      each.flatMap((replica) => {
        const value = figureOf(replica)
        return value === undefined ? [] : [{ labels: { replica: replica.name }, value }]
      }),
    )
  show(
    'guildhall_replica_lag_seconds',
    'Age of the newest state that a replica is known to have; NaN while nothing is known of it',
    (replica) => replica.lagSeconds() ?? Number.NaN,
  )
  show(
    'guildhall_replica_used',
    '1 while reads go to a replica, 0 while they do not; without a value for an address that leads to the primary',
    (replica) => (replica.isPrimary() ? undefined : Number(replica.complaint() === undefined)),
  )
}
