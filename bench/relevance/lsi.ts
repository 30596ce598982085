// What texts mean by the company that their words keep: latent semantic indexing (Deerwester and others, Indexing by Latent Semantic Analysis,
// 1990). The space of the most telling directions of a collection is found by subspace iteration from a fixed start, so every run finds the
// same; any text is projected into it. Only angles count, so the basis need not be that of the singular vectors. Pure.
import { stemOf } from '../../src/search/stem.ts'
import { saysLittle, wordsIn } from '../../src/search/words.ts'
import { random } from '../parts/made-up.ts'

const ROUNDS = 6

type Sparse = readonly (readonly [term: number, weight: number])[]

/** What every vector has beside its place, so that a text of unknown words has one too. It changes no other. */
const REST = 1e-6

/** Gives the vector of a text in the space of a collection, with so many numbers and one. */
export function makeLsi(collection: readonly string[], dimensions: number): (text: string) => number[] {
  const counted = collection.map(countsIn)
  const terms = new Map<string, { at: number; texts: number }>()
  for (const counts of counted) {
    for (const term of counts.keys()) {
      const known = terms.get(term) ?? { at: terms.size, texts: 0 }
      known.texts++
      terms.set(term, known)
    }
  }
  const weighted = (counts: ReadonlyMap<string, number>): Sparse => {
    const row = [...counts].flatMap(([term, count]): [number, number][] => {
      const known = terms.get(term)
      return known ? [[known.at, (1 + Math.log(count)) * Math.log(1 + collection.length / known.texts)]] : []
    })
    const length = Math.hypot(...row.map(([, weight]) => weight)) || 1
    return row.map(([term, weight]) => [term, weight / length])
  }
  const basis = mainDirections(counted.map(weighted), { terms: terms.size, dimensions })
  return (text) => [...projected(weighted(countsIn(text)), basis, dimensions), REST]
}

function countsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { whole } of wordsIn(text)) {
    const term = stemOf(whole)
    if (!saysLittle(whole)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** For each term its place in every direction, one row after another. */
type Basis = Float64Array

function projected(row: Sparse, basis: Basis, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const [term, weight] of row) {
    for (let at = 0; at < dimensions; at++) vector[at]! += weight * basis[term * dimensions + at]!
  }
  return vector
}

/** Multiplies a start again and again with the collection and back: what is left points where its texts differ most. */
function mainDirections(rows: readonly Sparse[], { terms, dimensions }: { terms: number; dimensions: number }): Basis {
  let basis: Basis = Float64Array.from({ length: terms * dimensions }, (_, at) => random(at, 2_000) / 1_000 - 1)
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(terms * dimensions)
    for (const row of rows) {
      const place = projected(row, basis, dimensions)
      for (const [term, weight] of row) {
        for (let at = 0; at < dimensions; at++) next[term * dimensions + at]! += weight * place[at]!
      }
    }
    basis = orthonormal(next, terms, dimensions)
  }
  return basis
}

/** The same space with directions of length 1 at right angles (Gram and Schmidt). */
function orthonormal(basis: Basis, terms: number, dimensions: number): Basis {
  const columns = Array.from({ length: dimensions }, (_, at) =>
    Float64Array.from({ length: terms }, (_, term) => basis[term * dimensions + at]!),
  )
  for (const [at, column] of columns.entries()) {
    for (const before of columns.slice(0, at)) {
      const along = dot(column, before)
      for (let term = 0; term < terms; term++) column[term]! -= along * before[term]!
    }
    const length = Math.sqrt(dot(column, column)) || 1
    for (let term = 0; term < terms; term++) column[term]! /= length
  }
  return Float64Array.from(basis, (_, place) => columns[place % dimensions]![Math.floor(place / dimensions)]!)
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}
