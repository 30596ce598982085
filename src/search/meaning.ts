// Things that mean about the same as a text: those whose vectors are nearest to its own, out of a bounded number of the newest. It is read in
// batches, and others have their turn after each. Vectors have length 1, so that the sum of the products is the cosine of their angle.
import { setImmediate as turn } from 'node:timers/promises'
import type { SearchType } from '../contract/kinds.ts'
import type { Db } from '../database/schema.ts'
import { listVectors } from './meaning-queries.ts'

/** So many of the newest are looked through, of all types together. */
export const MAX_VECTORS = 5_000
const AT_ONCE = 200
/** A vector has so many numbers at most. */
export const MAX_DIMENSIONS = 3_072
/**
 * How far a thing stands out to count: 0 is as near as the others are on average, 1 is the same. Machines differ in how near unlike texts are.
 */
export const LEAST_NEARNESS = 0.4
/** The average is taken as if there were so many more that have nothing in common: a few say little about it. */
const UNLIKE = 10
/** So many are kept while more are looked at. */
const MAX_NEAREST = 50

const AFTER_ALL = '~'

/** A vector as it is stored: its numbers of 32 bits in base64, of length 1 together; undefined where that cannot be. */
export function storedVector(numbers: readonly number[]): string | undefined {
  const length = Math.hypot(...numbers)
  if (numbers.length === 0 || numbers.length > MAX_DIMENSIONS || !Number.isFinite(length) || length === 0)
    return undefined
  const vector = Float32Array.from(numbers, (number) => number / length)
  return Buffer.from(vector.buffer).toString('base64')
}

export const readVector = (stored: string): Float32Array => {
  const bytes = Buffer.from(stored, 'base64')
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

export interface MeaningRequest {
  space: string
  /** As it is stored. */
  vector: string
  types: readonly SearchType[]
  limit: number
}

/** The ids of the things that stand out, the nearest first. */
export async function findNearest(db: Db, { space, vector, types, limit }: MeaningRequest): Promise<string[]> {
  const nearness = nearnessTo(readVector(vector))
  const most = Math.floor(MAX_VECTORS / Math.max(types.length, 1))
  let best: { id: string; near: number }[] = []
  let [sum, count] = [0, UNLIKE]
  for (const type of types) {
    let before = AFTER_ALL
    for (let seen = 0; seen < most; ) {
      const rows = await listVectors(db, { space, type, before, limit: Math.min(AT_ONCE, most - seen) })
      for (const { id, vector: stored } of rows) {
        const near = stored === null ? undefined : nearness(stored)
        if (near === undefined) continue
        sum += near
        count++
        best.push({ id, near })
      }
      best = best.sort((one, other) => other.near - one.near).slice(0, MAX_NEAREST)
      seen += rows.length
      before = rows.at(-1)?.id ?? ''
      if (rows.length < AT_ONCE) break
      await turn()
    }
  }
  const average = sum / count
  return best
    .filter(({ near }) => (near - average) / (1 - average) >= LEAST_NEARNESS)
    .slice(0, limit)
    .map(({ id }) => id)
}

/** The cosine between a vector and stored ones; undefined for one of another length. */
function nearnessTo(vector: Float32Array): (stored: string) => number | undefined {
  // One place for all of them: nothing is made for each.
  const bytes = Buffer.alloc(vector.byteLength)
  const other = new Float32Array(bytes.buffer, bytes.byteOffset, vector.length)
  const length = Math.ceil(bytes.length / 3) * 4
  return (stored) => {
    if (stored.length !== length || bytes.write(stored, 'base64') !== bytes.length) return undefined
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (other[at] as number)
    return sum
  }
}
