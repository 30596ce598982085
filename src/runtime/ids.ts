// Ids of new rows.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { systemClock } from './clock.ts'

/** The time of the last id, as it is written, and how many there were in it. */
let time = ''
let counter = 0

/** A UUID of version 7 (RFC 9562, 5.7): sorts by when it was made, within a millisecond too (6.2, method 1). */
export function newId(): string {
  const random = randomUUID()
  const now = writtenTime(systemClock.now())
  if (now > time) {
    time = now
    counter = Number.parseInt(random.slice(15, 18), 16) >> 1
  } else if (++counter > MAX_COUNTED) {
    time = following(time)
    counter = 0
  }
  return `${time}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`
}

const MAX_COUNTED = 0xfff

function writtenTime(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** The next millisecond, borrowed. */
const following = (written: string): string => writtenTime(Number.parseInt(written.replace('-', ''), 16) + 1)

/** 256 random bits in base64url: the value of a session cookie. Only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Six digits for a person to type. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')
