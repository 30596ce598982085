// `npm run admin -- stats`: how much there is, how much room it takes, and what waits.
import type { Config } from '../config/config.ts'
import { reportOn } from '../core/jobs/report.ts'
import type { ReplicaLook } from '../database/look-at-replicas.ts'
import type { Db } from '../database/schema.ts'
import { listWaiting, queueNames } from '../database/waiting-queries.ts'
import { declaredJobs } from '../jobs.ts'
import { after, systemClock, timestamp } from '../runtime/clock.ts'
import type { Command } from './command.ts'
import * as queries from './queries.ts'
import { withDatabase } from './with-accounts.ts'

const RECENT_SECONDS = 30 * 86_400

export const stats: Command = {
  usage: 'stats',
  summary: 'counts accounts and what they made, the bytes of both stores, and what waits',
  parameters: [0, 0],
  run: ({ settings, output }) =>
    withDatabase(settings(), async (db) => {
      const now = timestamp(systemClock.now())
      output.progress('Counting')
      const found = {
        rows: await queries.countRows(db),
        last30Days: await queries.countRecent(db, after(now, -RECENT_SECONDS)),
        databaseBytes: await queries.findDatabaseSize(db),
        storedBytes: await queries.sumStoredBytes(db),
        waiting: await listWaiting(db, now),
        jobs: await countFailed(db, settings(), now),
        replicas: await replicasOf(settings()),
      }
      output.result(found, textOf(found))
      return 0
    }),
}

interface ServerStats {
  rows: Record<string, number>
  last30Days: { joined: number; active: number }
  databaseBytes: number
  storedBytes: number
  waiting: Awaited<ReturnType<typeof listWaiting>>
  jobs: { failing: number; givenUp: number }
  replicas: ReplicaLook[]
}

/** Only PostgreSQL has any. */
async function replicasOf({ databaseUrl, databaseReadUrls }: Config): Promise<ReplicaLook[]> {
  if (databaseReadUrls.length === 0) return []
  const { lookAtReplicas } = await import('../database/look-at-replicas.ts')
  return lookAtReplicas(databaseUrl, databaseReadUrls)
}

async function countFailed(db: Db, config: Config, now: string): Promise<ServerStats['jobs']> {
  const found = await reportOn(db, declaredJobs({ db, clock: systemClock, config }), now)
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0)
  return { failing: sum(found.map(({ failing }) => failing)), givenUp: sum(found.map(({ givenUp }) => givenUp)) }
}

const names: Record<string, string> = {
  ...{ user: 'accounts', grant: 'connected apps', orgPage: 'orgs', libraryItem: 'items', itemVersion: 'versions' },
  ...{ audit: 'acts in the audit log' },
}

function textOf({ rows, last30Days, databaseBytes, storedBytes, waiting, jobs, replicas }: ServerStats): string {
  const line = (count: number, what: string) => `${String(count).padStart(12)} ${what}`
  return [
    ...Object.entries(rows).map(([table, count]) => line(count, names[table] ?? `${table}s`)),
    line(last30Days.joined, 'accounts made in the last 30 days'),
    line(last30Days.active, 'accounts seen in the last 30 days'),
    line(databaseBytes, 'bytes in the database'),
    line(storedBytes, 'bytes of stored files'),
    ...queueNames.map((name) => {
      const { count, oldestAt } = waiting[name]
      return line(count, `${name} waiting${oldestAt ? `, the oldest since ${oldestAt}` : ''}`)
    }),
    line(jobs.failing, 'jobs that fail and are tried again'),
    line(jobs.givenUp, 'jobs given up; `jobs` says why'),
    ...replicas.map(({ name, bytesBehind, complaint }) =>
      bytesBehind === undefined
        ? `${'-'.padStart(12)} the replica ${name} takes no reads: ${complaint}`
        : line(bytesBehind, `bytes of the log that the replica ${name} does not have yet`),
    ),
  ].join('\n')
}
