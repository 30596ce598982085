// The time as far as it is believed: a clock that jumps ahead may be wrong, and is right only if it stays ahead for a day. Until then a jump
// is doubted, each by itself, so that a second one is not believed with the first.

/** How far the clock may be ahead of what is known: corrections of a second, and quiet minutes before a restart. */
const TOLERANCE_MILLISECONDS = 60_000
/** A clock that stays ahead for so long is right: the server was down, or its clock was slow before. */
const DOUBT_MILLISECONDS = 86_400_000

/** A moment by the clock, and by one that is never set. In milliseconds. */
export interface ClockReading {
  now: number
  elapsed: number
}

/** A jump ahead that is not believed yet: by how much, and for how long it has been doubted, in milliseconds. */
export interface DoubtedJump {
  by: number
  doubtedFor: number
}

export class BelievedTime {
  /** The believed time when `elapsed` was 0. */
  #origin: number
  /** In their order; `since` is when it came, by `elapsed`. */
  readonly #jumps: { by: number; since: number }[]

  /** At first the clock shows `now`, with these jumps in it. */
  constructor({ now, elapsed }: ClockReading, jumps: readonly DoubtedJump[] = []) {
    this.#jumps = jumps.map(({ by, doubtedFor }) => ({ by, since: elapsed - doubtedFor }))
    this.#origin = now - elapsed - this.#doubted()
  }

  /** The believed time, in milliseconds since 1970: never later than what the clock shows. */
  at({ now, elapsed }: ClockReading): number {
    this.#believe(elapsed)
    const ahead = now - (this.#origin + elapsed + this.#doubted())
    if (ahead > TOLERANCE_MILLISECONDS) this.#jumps.push({ by: ahead, since: elapsed })
    else if (ahead < -TOLERANCE_MILLISECONDS) this.#takeBack(-ahead)
    const believed = this.#origin + elapsed
    return Math.floor(Math.min(now, this.#jumps.length > 0 ? believed : believed + TOLERANCE_MILLISECONDS))
  }

  /** What is doubted now, for the process that comes after this one. */
  jumps(elapsed: number): DoubtedJump[] {
    return this.#jumps.map(({ by, since }) => ({ by: Math.round(by), doubtedFor: Math.round(elapsed - since) }))
  }

  #doubted(): number {
    return this.#jumps.reduce((sum, { by }) => sum + by, 0)
  }

  #believe(elapsed: number): void {
    for (let jump = this.#jumps[0]; jump && elapsed - jump.since >= DOUBT_MILLISECONDS; jump = this.#jumps[0]) {
      this.#origin += jump.by
      this.#jumps.shift()
    }
  }

  /** The clock went back: what was doubted was wrong, the last jump first. */
  #takeBack(by: number): void {
    let left = by
    for (let jump = this.#jumps.at(-1); jump && left > 0; jump = this.#jumps.at(-1)) {
      const taken = Math.min(left, jump.by)
      jump.by -= taken
      left -= taken
      if (jump.by > 0) return
      this.#jumps.pop()
    }
  }
}
