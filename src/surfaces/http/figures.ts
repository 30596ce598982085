// Figures of a registry of Prometheus: counters of plain maps, and gauges that are read when they are asked for.
import { Counter, Gauge, Histogram, type Registry, type RegistryContentType } from 'prom-client'
import { BUCKETS, type Durations } from './durations.ts'

export interface FigureName {
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
