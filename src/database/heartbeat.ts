// A timer that knows when this process stood still, as on a machine with too much to do: then other timers of the process ring, too,
// before it has read the answers that came in time, and the silence of another program is no sign of anything.

/** A beat that is so much too late is one after a standstill. */
const LATE_MILLISECONDS = 250

export class Heartbeat {
  readonly #timer: NodeJS.Timeout
  #beatAt = performance.now()
  #stoodStillAt = Number.NEGATIVE_INFINITY

  /** Calls `beat` each time that `milliseconds` have gone by; keeps no process alive. */
  constructor(beat: () => void, milliseconds: number) {
    this.#timer = setInterval(() => {
      const now = performance.now()
      if (now - this.#beatAt > milliseconds + LATE_MILLISECONDS) this.#stoodStillAt = now
      this.#beatAt = now
      beat()
    }, milliseconds).unref()
  }

  /** Whether a standstill of this process ended in the last `milliseconds`. */
  stoodStillWithin(milliseconds: number): boolean {
    return performance.now() - this.#stoodStillAt < milliseconds
  }

  /** Whether `pg` says that the server did not respond within `milliseconds`, while this process was there to hear it. */
  isSilence(error: unknown, milliseconds: number): boolean {
    return error instanceof Error && /timeout/i.test(error.message) && !this.stoodStillWithin(milliseconds)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
