// Names of settings: which environment variable is a misspelt setting. Never contains a variable's value.

/** Names shorter than this are near to too many other words. */
const SHORTEST = 5
const PREFIX = 'GUILDHALL_'

/** Warns of each variable that looks like a misspelt setting and has no effect. Never contains its value. */
export function warnOfUnknown(names: readonly string[], known: readonly string[]): string[] {
  const taken = new Set(known)
  return names.flatMap((name) => {
    if (taken.has(name)) return []
    const plain = name.toUpperCase().replaceAll('-', '_')
    const bare = plain.startsWith(PREFIX) ? plain.slice(PREFIX.length) : plain
    const meant = taken.has(bare) && bare !== name ? bare : nearest(bare, known)
    if (meant) return [`${name} is no setting and has no effect; did you mean ${meant}?`]
    return bare === plain ? [] : [`${name} is no setting and has no effect; README.md lists the settings.`]
  })
}

/** The known name that is a slip away: one letter of five, two of eight, or the same without underscores. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    if (candidate.length < SHORTEST) continue
    const slips = distance(name, candidate)
    const allowed = candidate.length < 8 ? 1 : 2
    if (slips <= allowed && slips < least) [best, least] = [candidate, slips]
  }
  return best
}

/** How many letters must be put in, taken out or changed to make one word the other (Levenshtein). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, above[column]! + 1, current[column - 1]! + 1))
    }
    above = current
  }
  return above[b.length]!
}
