// Figures of a registry of Prometheus: counters of plain maps, and gauges that are read when they are asked for; and those of jobs.
import { Counter, Gauge, Histogram, type Registry, type RegistryContentType } from 'prom-client'
import { type JobReport, reportOn } from '../../core/jobs/report.ts'
import type { JobRunner } from '../../core/jobs/runner.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { keyOf } from '../../runtime/counts.ts'
import { outageOf } from '../../runtime/outage.ts'
import { BUCKETS, type Durations } from './durations.ts'

interface FigureName {
  name: string
  help: string
}

interface CounterOptions extends FigureName {
  /** None, one or both of the labels of a key. */
  labels: readonly string[]
  /** Counts by their labels, joined by `|`. */
  from: ReadonlyMap<string, number> | (() => ReadonlyMap<string, number>)
  /** Further keys that begin at 0. */
  also?: readonly string[]
}

interface GaugeValue {
  labels: Record<string, string>
  value: number
}

/** Adds figures to a registry. They are read when they are asked for. */
export class Figures {
  readonly #registers: Registry<RegistryContentType>[]

  constructor(registry: Registry<RegistryContentType>) {
    this.#registers = [registry]
  }

  counter({ labels, from, also = [], ...naming }: CounterOptions): void {
    void new Counter({
      ...naming,
      labelNames: labels,
      registers: this.#registers,
      collect() {
        this.reset()
        const counts = typeof from === 'function' ? from() : from
        for (const key of new Set([...also, ...counts.keys()])) {
          const values = key.split('|')
          this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), counts.get(key) ?? 0)
        }
      },
    })
  }

  gauge(named: FigureName, read: () => number): void {
    void new Gauge({
      ...named,
      registers: this.#registers,
      collect() {
        this.set(read())
      },
    })
  }

  labelled(named: FigureName, labelNames: readonly string[], read: () => Promise<GaugeValue[]>): void {
    void new Gauge({
      ...named,
      labelNames,
      registers: this.#registers,
      async collect() {
        const found = await read()
        this.reset()
        for (const { labels, value } of found) this.set(labels, value)
      },
    })
  }

  /** The library has no way to set buckets: what it would print is put in the place of its own. */
  durations(named: FigureName, durations: Durations): void {
    const histogram = new Histogram({
      ...named,
      labelNames: ['operation'],
      buckets: [...BUCKETS],
      registers: this.#registers,
    })
    const get = async () => ({ ...named, type: 'histogram', aggregator: 'sum', values: durations.lines(named.name) })
    Object.assign(histogram, { get, getForPromString: get })
  }
}

// The figures of jobs, by kind: how they go, as the table says, and what this process did.

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
