// How long requests took, by operation: buckets as a histogram of Prometheus has them, each with the newest request as an example.
import { systemClock } from '../../runtime/clock.ts'

/** Upper bounds in seconds. A cached page takes less than the first, an upload more than the last but one. */
export const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Example {
  requestId: string
  seconds: number
  /** Unix time in seconds. */
  at: number
}

interface Series {
  /** Of each bucket alone; the last one has no bound. */
  counts: number[]
  examples: (Example | undefined)[]
  sum: number
}

/** A line of a histogram, as the library prints it. */
interface Line {
  metricName: string
  labels: Record<string, string | number>
  value: number
  exemplar?: { labelSet: Record<string, string>; value: number; timestamp: number }
}

export class Durations {
  readonly #series = new Map<string, Series>()

  observe(operation: string, seconds: number, requestId: string): void {
    let series = this.#series.get(operation)
    if (!series) {
      series = { counts: new Array<number>(BUCKETS.length + 1).fill(0), examples: [], sum: 0 }
      this.#series.set(operation, series)
    }
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += seconds
    series.examples[at] = { requestId, seconds, at: systemClock.now() / 1000 }
  }

  /** The lines of a histogram with this name. */
  lines(name: string): Line[] {
    return [...this.#series].flatMap(([operation, series]) => linesOf(name, operation, series))
  }
}

function linesOf(name: string, operation: string, { counts, examples, sum }: Series): Line[] {
  let total = 0
  const buckets = counts.map((count, at): Line => {
    total += count
    const example = examples[at]
    return {
      metricName: `${name}_bucket`,
      labels: { operation, le: BUCKETS[at] ?? '+Inf' },
      value: total,
      ...(example && {
        exemplar: { labelSet: { request_id: example.requestId }, value: example.seconds, timestamp: example.at },
      }),
    }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { operation }, value: sum },
    { metricName: `${name}_count`, labels: { operation }, value: total },
  ]
}
