// Rules look at a text by windows, and each has so much CPU time in a scan: what a file costs is bounded for every content.

export interface Window {
  /** A part of the text, with some of what follows: what begins in it is seen whole. */
  text: string
  /** Where it stands in the whole. */
  from: number
  /** What begins here or behind belongs to the next window. */
  end: number
}

interface Sizes {
  /** About so many letters, up to a line break where there is one. */
  size: number
  /** As long as the longest thing that is looked for. */
  more: number
}

/** The parts of a text, one after the other. */
export function* windowsOf(text: string, { size, more }: Sizes): Generator<Window> {
  for (let from = 0; from < text.length; ) {
    const part = text.slice(from, from + size)
    const cut = from + size < text.length ? part.lastIndexOf('\n') + 1 : 0
    const to = from + (cut || part.length)
    yield { text: text.slice(from, to + more), from, end: to - from }
    from = to
  }
}

/** So many at a time, for what is looked at by itself and is small. */
export function* batchesOf<Part>(parts: Iterable<Part>, size = 64): Generator<Part[]> {
  let batch: Part[] = []
  for (const part of parts) {
    if (batch.push(part) < size) continue
    yield batch
    batch = []
  }
  yield batch
}

const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** CPU time of one rule in a scan, and of all rules together: well within that of the thread. */
const LIMITS = { ofOne: 3_000, ofAll: 8_000 }

/** The CPU time that the rules of a scan have used. */
export class RuleTimes {
  readonly #used = new Map<string, number>()
  readonly #limits: typeof LIMITS
  #all = 0

  constructor(limits = LIMITS) {
    this.#limits = limits
  }

  /** Looks at one part after the other while the rule has time; gives whether it came to the end. */
  async through<Part>(rule: string, parts: Iterable<Part>, look: (part: Part) => unknown): Promise<boolean> {
    let before = cpuMilliseconds()
    for (const part of parts) {
      if (this.#isOver(rule)) return false
      await look(part)
      const now = cpuMilliseconds()
      this.#add(rule, now - before)
      before = now
    }
    return true
  }

  #isOver(rule: string): boolean {
    return this.#all >= this.#limits.ofAll || (this.#used.get(rule) ?? 0) >= this.#limits.ofOne
  }

  #add(rule: string, milliseconds: number): void {
    this.#used.set(rule, (this.#used.get(rule) ?? 0) + milliseconds)
    this.#all += milliseconds
  }
}
