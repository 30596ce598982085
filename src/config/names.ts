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
    return bare === plain ? [] : [`${name} is no setting and has no effect; docs/settings.md lists the settings.`]
  })
}

/** The known name that is a slip away: one letter of five, two of eight, or the same without underscores. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const candidates = known.filter(({ length }) => length >= SHORTEST)
  const long = candidates.filter(({ length }) => length >= 8)
  return candidates.find((candidate) => isNear(name, candidate, 1)) ?? long.find((one) => isNear(name, one, 2))
}

/** Whether at most `slips` letters must be put in, taken out or changed to make one word the other. */
function isNear(one: string, other: string, slips: number): boolean {
  if (one === other) return true
  if (slips === 0 || Math.abs(one.length - other.length) > slips) return false
  let same = 0
  while (one[same] === other[same]) same++
  const [left, right] = [one.slice(same), other.slice(same)]
  const [leftRest, rightRest] = [left.slice(1), right.slice(1)]
  const isNearer = (a: string, b: string) => isNear(a, b, slips - 1)
  return isNearer(leftRest, rightRest) || isNearer(left, rightRest) || isNearer(leftRest, right)
}
