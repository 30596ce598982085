// The times of the demo's events. The same content and the same `now` give the same times.
import { hash } from 'node:crypto'

const MINUTE = 60_000
const UNITS = new Map([
  ['d', 24 * 60 * MINUTE],
  ['h', 60 * MINUTE],
  ['m', MINUTE],
])

/** A number from 0 to 1 that looks like chance and is always the same for a text. */
export const chance = (seed: string): number => hash('sha256', seed, 'buffer').readUInt32BE(0) / 2 ** 32

/** How long ago, in milliseconds: `41d 6h`, or `25m`. */
function millisecondsOf(ago: string): number {
  return ago.split(' ').reduce((sum, part) => {
    const [, count, unit = ''] = /^(\d+)(\w)$/.exec(part) ?? []
    const length = UNITS.get(unit)
    if (length === undefined) throw new Error(`${ago}: is no time; write 41d 6h`)
    return sum + Number(count) * length
  }, 0)
}

/**
 * The moment this long before `now`. Activity does not happen exactly on the hour: times given in hours are shifted by some minutes,
 * never up to the next hour, so that their order is kept.
 */
export function momentOf(now: number, ago: string, seed: string): number {
  const slack = ago.includes('m') ? MINUTE : 60 * MINUTE
  return Math.floor(now - millisecondsOf(ago) + (chance(seed) - 1) * 0.9 * slack)
}

/** A moment between two, more likely an early one. */
export const between = (start: number, end: number, seed: string): number =>
  Math.floor(start + (end - start) * chance(seed) ** 3)
