// What one of many equal things costs on a machine whose speed changes twofold within a second, as a shared one does: the CPU is read
// in short slices, and the figure is what the cheapest fifth of them cost at most. So both sides of a ratio are of the same machine.
import { type Cpu, preciseCpuNow } from './cpu.ts'
import type { Both } from './figures.ts'

const SHARE = 0.2

export class Slices {
  readonly #server: { pid: number } | undefined
  readonly #costs: Both[] = []
  #before: Cpu

  /** Of a server, or of this process. */
  constructor(server?: { pid: number }) {
    this.#server = server
    this.#before = preciseCpuNow(server)
  }

  /** Ends a slice in which `count` things were done. */
  end(count: number): void {
    const now = preciseCpuNow(this.#server)
    const server = now.server - this.#before.server
    const all = server + now.postgres - this.#before.postgres
    this.#before = now
    // A thread that ended took its time with it.
    if (count > 0 && server > 0) this.#costs.push({ server: (server * 1e6) / count, all: (all * 1e6) / count })
  }

  /** CPU microseconds of one thing. */
  cost(): Both {
    return cheapest(this.#costs)
  }
}

/** The same of rounds, between which others took their turn. */
export const cheapest = (rounds: readonly Both[]): Both => ({
  server: cheap(rounds.map(({ server }) => server)),
  all: cheap(rounds.map(({ all }) => all)),
})

/** How many of ours there are for the CPU of one of the bare server. */
export function against(bare: readonly Both[], ours: readonly Both[]): Both {
  const limit = cheapest(bare).server
  const { server, all } = cheapest(ours)
  return { server: limit / server, all: limit / all }
}

/** Milliseconds, of costs in microseconds. */
export function inMilliseconds(rounds: readonly Both[]): Both {
  const { server, all } = cheapest(rounds)
  return { server: server / 1000, all: all / 1000 }
}

/** In a CPU-second, of costs in microseconds. */
export function perCpuSecond(rounds: readonly Both[]): Both {
  const { server, all } = cheapest(rounds)
  return { server: 1e6 / server, all: 1e6 / all }
}

/** The value that a fifth stay at or below. */
const cheap = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * SHARE)]!

const SLICES = 20

/** CPU milliseconds of each of the calls in this process. */
export async function cpuOfEach(calls: number, call: (n: number) => Promise<unknown>): Promise<Both> {
  const slices = new Slices()
  const many = Math.ceil(calls / SLICES)
  for (let n = 1; n <= calls; n++) {
    await call(n - 1)
    if (n % many === 0) slices.end(many)
  }
  return inMilliseconds([slices.cost()])
}
