// Cookies of a request.

const patterns = new Map<string, RegExp>()

function patternOf(name: string): RegExp {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|; ?)${name}=([^;]*)`)
  patterns.set(name, pattern)
  return pattern
}

/** The value of a cookie whose name holds letters, digits, `_` and `-` alone. */
export const cookieIn = (headers: Headers, name: string): string | undefined =>
  headers.get('cookie')?.match(patternOf(name))?.[1] || undefined
