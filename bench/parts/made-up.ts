// What the rows of a bench are made of: the same in every run, and for every index its own.

/** In the order of the index, one second apart. */
export const moment = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()

/** The id of the n-th row of a kind, which is four hex digits; in the order of the index. */
export const idOf = (kind: string, index: number): string =>
  `01900000-0000-7000-${kind}-${index.toString(16).padStart(12, '0')}`

/** A number from 0 to below `below` that depends on the seed alone. */
export function random(seed: number, below: number): number {
  let bits = seed | 0
  for (let round = 0; round < 2; round++) bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b)
  return ((bits ^ (bits >>> 16)) >>> 0) % below
}

export const pick = <T>(values: readonly T[], seed: number): T => values[random(seed, values.length)]!

/** Makes sentences of these words: a few hundred different ones, which are kept. */
export function sentences(words: readonly string[]): (seed: number, length: number) => string {
  const made = new Map<string, string>()
  return (seed, length) => {
    const [first, step] = [(seed * 7) % words.length, 1 + (seed % 5)]
    const key = `${first} ${step} ${length}`
    let sentence = made.get(key)
    if (sentence === undefined) {
      sentence = Array.from({ length }, (_, index) => words[(first + index * step) % words.length]).join(' ')
      made.set(key, sentence)
    }
    return sentence
  }
}

/** As many rows as there are, one made after the other. */
export function* each<T>(count: number, make: (index: number) => T): Generator<T> {
  for (let index = 0; index < count; index++) yield make(index)
}
