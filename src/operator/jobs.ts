// `npm run admin -- jobs`: all work besides requests, as src/jobs.ts lists it, and what of it fails; `retry` lets it run again. The server
// looks for that within seconds. And `reindex`, which is such work at once.
import { withCommas } from '../contract/explain.ts'
import { oneLine } from '../contract/storable.ts'
import type { DeclaredJob } from '../core/jobs/job.ts'
import { type FailedJob, type JobReport, MOST, reportOn, retryJob } from '../core/jobs/report.ts'
import type { Db } from '../database/schema.ts'
import { declaredJobs } from '../jobs.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { buildSearch, countDocuments, resetBuild } from '../search/building.ts'
import { searchSources } from '../search-sources.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './with-accounts.ts'

export const jobs: Command = {
  usage: 'jobs [retry] [<kind>] [<key>]',
  summary: `shows all work besides requests: what wakes it, what waits and runs, and what
fails or was given up, with the last error; retry <kind> [<key>] lets that run
again now: one key, or all that failed of the kind`,
  parameters: [0, 3],
  run,
}

/** Failed jobs of a kind that are listed for people. */
const LISTED = 20

async function run(call: Call): Promise<number> {
  const [act, kind, key] = call.parameters
  if (act === undefined) return withJobs(call, show)
  if (act === 'retry' && kind !== undefined) return withJobs(call, (looking) => retry(looking, kind, key))
  call.output.complain(`Say what to do: ${jobs.usage}`)
  return 2
}

interface JobCommandContext {
  output: Call['output']
  db: Db
  now: string
  declared: readonly DeclaredJob[]
}

const withJobs = ({ settings, output }: Call, work: (looking: JobCommandContext) => Promise<number>) =>
  withDatabase(settings(), (db) => {
    const now = timestamp(systemClock.now())
    return work({ output, db, now, declared: declaredJobs({ db, clock: systemClock, config: settings() }) })
  })

async function show({ output, db, now, declared }: JobCommandContext): Promise<number> {
  const found = await reportOn(db, declared, now)
  const failed = found.flatMap((report) => failuresOf(report))
  output.result({ jobs: found }, [...tableOf(found, now), ...(failed.length > 0 ? ['', ...failed] : [])].join('\n'))
  return 0
}

async function retry({ output, db, now, declared }: JobCommandContext, kind: string, key?: string): Promise<number> {
  const job = declared.find((one) => one.kind === kind)
  if (!job) {
    output.complain(`There is no kind ${kind}: jobs lists them.`)
    return 2
  }
  const [report] = await reportOn(db, [job], now)
  const wanted = (report?.failed ?? []).filter((failed) => key === undefined || failed.key === key)
  const retried: string[] = []
  for (const failed of wanted) if (await retryJob({ db, now }, job, failed.key)) retried.push(failed.key)
  if (retried.length === 0) {
    output.complain(`Nothing failed of ${key === undefined ? kind : `${kind} ${key}`}, or it runs just now.`)
    return 1
  }
  const more = wanted.length >= MOST ? ' There may be more: say it again.' : ''
  output.result({ kind, retried }, `${retried.length} of ${kind} will run again now.${more}`)
  return 0
}

const COLUMNS = ['kind', 'wakes by', 'waiting', 'oldest', 'running', 'failing', 'given up', 'next'] as const
/** Columns of numbers and ages. */
const RIGHT: readonly string[] = ['waiting', 'oldest', 'running', 'failing', 'given up', 'next']

function tableOf(found: readonly JobReport[], now: string): string[] {
  const lines = [COLUMNS, ...found.map((report) => cellsOf(report, now))]
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line, row) => {
    const cells = COLUMNS.map((name, at) => {
      const [cell = '', width = 0] = [line[at], widths[at]]
      return RIGHT.includes(name) ? cell.padStart(width) : cell.padEnd(width)
    })
    return [...cells, found[row - 1]?.summary ?? 'what it does'].join('  ')
  })
}

function cellsOf(report: JobReport, now: string): string[] {
  const { kind, wake, waiting, hasMore, oldestAt, nextAt } = report
  const between = (from: string, to: string) => ageOf((Date.parse(to) - Date.parse(from)) / 1_000)
  const counts = [report.running, report.failing, report.givenUp].map(countOf)
  return [
    ...[kind, wake, hasMore ? `${withCommas(MOST)}+` : countOf(waiting)],
    ...[oldestAt === null ? '-' : between(oldestAt, now), ...counts],
    nextAt === null ? '-' : nextAt <= now ? 'now' : `in ${between(now, nextAt)}`,
  ]
}

const countOf = (count: number) => (count === 0 ? '-' : String(count))

function ageOf(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}

/** What failed of a kind, for people: of many the first ones. */
function failuresOf({ kind, failed, failing, lastError }: JobReport): string[] {
  const lines = failed.slice(0, LISTED).map((one) => `${[kind, one.key].join(' ').trimEnd()}: ${failureOf(one)}`)
  if (failed.length > LISTED) lines.push(`${kind}: ${failed.length - LISTED} more; --json lists them`)
  // Of a kind whose `find` fails.
  if (failing > failed.length) lines.push(`${kind}: ${oneLine(lastError ?? '')}`)
  return lines
}

const failureOf = ({ state, attempts, error, at }: FailedJob) =>
  [
    state === 'given_up' ? `given up at ${at}` : `tried again at ${at}`,
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(error === null ? [] : [oneLine(error)]),
  ].join(', ')

export const reindex: Command = {
  usage: 'reindex',
  summary: 'builds the index of the search again',
  parameters: [0, 0],
  /** The server may run: it finds what it did before until a thing has its turn. */
  run: ({ settings, output }) =>
    withDatabase(settings(), async (db) => {
      await resetBuild(db)
      await buildSearch({ db, sources: searchSources, now: () => timestamp(systemClock.now()) })
      const documents = await countDocuments(db)
      output.result({ documents }, `The index of the search has ${documents} documents.`)
      return 0
    }),
}
