// The figures of jobs, by kind: how they go, as the table says, and what this process did.
import { type JobReport, reportOn } from '../../core/jobs/report.ts'
import type { JobRunner } from '../../core/jobs/runner.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { keyOf } from '../../runtime/counts.ts'
import { outageOf } from '../../runtime/outage.ts'
import type { FigureName, Figures } from './figures.ts'

type JobFigureSources = Pick<Dependencies, 'db' | 'clock'>

export function showJobs(figures: Figures, { db, clock }: JobFigureSources, { kinds, jobs }: JobRunner): void {
  figures.counter({
    name: 'guildhall_jobs_total',
    help: 'Jobs that this process ran, by kind and outcome (done, failed, given_up)',
    labels: ['kind', 'outcome'],
    from: () =>
      new Map(
        [...kinds].flatMap(([kind, { counts }]) =>
          [...counts.all].map(([outcome, count]) => [keyOf(kind, outcome), count] as const),
        ),
      ),
  })
  const read = shared(() =>
    reportOn(db, jobs, timestamp(clock.now())).catch((error: unknown) => {
      // Without the database there are no figures of its jobs; storage errors tell of that.
      if (!outageOf(error)) throw error
      return []
    }),
  )
  const gauge = (named: FigureName, numberOf: (report: JobReport) => number) =>
    figures.labelled(named, ['kind'], async () =>
      (await read()).map((report) => ({ labels: { kind: report.kind }, value: numberOf(report) })),
    )
  gauge(
    { name: 'guildhall_jobs_waiting', help: 'What waits, by kind of job, up to 1,000; a queue counts as 1' },
    ({ waiting }) => waiting,
  )
  const oldest = {
    name: 'guildhall_jobs_oldest_seconds',
    help: 'Age of the oldest that waits, by kind of job; 0 where nothing does, or that is not known',
  }
  gauge(oldest, ({ oldestAt }) => (oldestAt === null ? 0 : Math.max(0, (clock.now() - Date.parse(oldestAt)) / 1_000)))
  gauge(
    { name: 'guildhall_jobs_failing', help: 'What failed last and is tried again, by kind of job' },
    ({ failing }) => failing,
  )
  gauge({ name: 'guildhall_jobs_given_up', help: 'What was given up, by kind of job' }, ({ givenUp }) => givenUp)
}

/** What is asked for while it is read is read once. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
