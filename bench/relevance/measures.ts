// How good answers are, where it is known what must be found. Pure.

/** Places of what was wanted in what was found, from 1; undefined where it is not there. */
type Ranks = readonly (number | undefined)[]

/** The mean of one divided by the rank; what is not there counts 0. */
export const reciprocalRank = (ranks: Ranks): number => mean(ranks.map((rank) => (rank === undefined ? 0 : 1 / rank)))

/** The share of the queries that have what was wanted among the first so many. */
export const successAt = (ranks: Ranks, most: number): number =>
  mean(ranks.map((rank) => (rank !== undefined && rank <= most ? 1 : 0)))

/** The first place at which something is wanted. */
export function rankOf<Found>(found: readonly Found[], isWanted: (one: Found) => boolean): number | undefined {
  const at = found.findIndex(isWanted)
  return at < 0 ? undefined : at + 1
}

/** One pair: whether it is a duplicate, and whether it was said to be one. */
interface Verdict {
  isDuplicate: boolean
  isFound: boolean
}

/** How many of what was found are duplicates, how many of the duplicates were found, and the harmonic mean of both. */
export function duplicatesIn(verdicts: readonly Verdict[]): { precision: number; recall: number; f1: number } {
  const found = verdicts.filter(({ isFound }) => isFound)
  const right = found.filter(({ isDuplicate }) => isDuplicate).length
  const precision = share(right, found.length)
  const recall = share(right, verdicts.filter(({ isDuplicate }) => isDuplicate).length)
  return { precision, recall, f1: share(2 * precision * recall, precision + recall) }
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

const mean = (values: readonly number[]) =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )
