// The time, handed in so that tests can move it, and the one time of a process. Processes that share PostgreSQL have the time of the database;
// on SQLite time never goes back. Between two measurements it runs by a clock that is never set, so that a machine whose clock is changed
// changes nothing.
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment, by a clock that is never set: only differences of it count. */
  elapsed(): number
  /** By how many milliseconds the clock of the machine is ahead of `now`; missing if `now` is that clock. */
  difference?(): number
}

const DAY_MILLISECONDS = 86_400_000
/** How fast time runs while it waits for a clock that went back: slow enough that the clock catches up, and fast enough that waits end. */
const WAITING_PACE = 0.9

/** When a moment of the database was asked for and came, by the clock that is never set. */
export interface CallTimes {
  sentAt: number
  receivedAt: number
}

/** The time of a database, as far as it was measured. */
export class DatabaseTime {
  /** The time of the database when `elapsed` was 0. */
  #origin: number | undefined

  /** `theirs` was read there between the two moments: what is known moves only if it cannot be right. */
  learn(theirs: number, { sentAt, receivedAt }: CallTimes): void {
    const [least, most] = [theirs - receivedAt, theirs - sentAt]
    this.#origin = Math.min(Math.max(this.#origin ?? (least + most) / 2, least), most)
  }

  /** The time there; undefined before the first measurement. */
  at(elapsed: number): number | undefined {
    return this.#origin === undefined ? undefined : this.#origin + elapsed
  }
}

/** The clock of the machine, corrected. */
export class KeptClock implements Clock {
  readonly #machine: Clock
  #database: DatabaseTime | undefined
  #last: { now: number; elapsed: number } | undefined

  constructor(machine: Clock) {
    this.#machine = machine
  }

  /** From now on the time is that of a database. */
  follow(database: DatabaseTime): void {
    this.#database = database
  }

  /** From now on time does not go back below `newest`, the newest moment that is stored. */
  startAt(newest: number): void {
    this.#last = { now: newest, elapsed: this.#machine.elapsed() }
  }

  now(): number {
    const elapsed = this.#machine.elapsed()
    const theirs = this.#database?.at(elapsed)
    if (theirs !== undefined) return Math.floor(theirs)
    const now = notBefore(this.#last, { now: this.#machine.now(), elapsed })
    this.#last = { now, elapsed }
    return Math.floor(now)
  }

  elapsed(): number {
    return this.#machine.elapsed()
  }

  /** By how many milliseconds the clock of the machine is ahead of this one; less than 0 if it is behind. */
  difference(): number {
    return this.#machine.now() - this.now()
  }
}

/** The time by the clock of the machine; if that went back, a little after `last`. A clock that was wrong by more than a day is given up. */
function notBefore(last: { now: number; elapsed: number } | undefined, machine: { now: number; elapsed: number }) {
  if (!last) return machine.now
  const least = last.now + (machine.elapsed - last.elapsed) * WAITING_PACE
  return least - machine.now > DAY_MILLISECONDS ? machine.now : Math.max(machine.now, least)
}

/** The clock of the machine: for dates of files, which the system writes by it, and for telling how wrong it is. Nothing else reads it. */
export const machineClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

/** The time of this process: of the machine, until a database is opened (database/open.ts). */
export const systemClock: KeptClock = new KeptClock(machineClock)

// Several requests fall into one millisecond, and writing a moment out costs as much as a query.
let last = { milliseconds: 0, text: '1970-01-01T00:00:00.000Z' }

/** ISO 8601 UTC with milliseconds: how every moment is stored and answered. */
export function timestamp(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() }
  return last.text
}

/** By how much the clocks of processes that share a database may differ. */
const DIFFERENCE_SECONDS = 60

/**
 * The latest moment that can have been set `seconds` ahead by now. A later one was set while a clock was wrong: trusting it would
 * keep a limit closed, or a code valid, until that time.
 */
export const latest = (now: string, seconds = 0): string => after(now, seconds + DIFFERENCE_SECONDS)

/** The moment `seconds` after `moment` (before it, if negative). */
export const after = (moment: string, seconds: number): string => timestamp(Date.parse(moment) + seconds * 1000)
