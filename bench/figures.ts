// A figure, and the limit it is held against.

/** Prints `name  value  (limit ...)`, with a mark when the limit is not kept, and remembers that for the exit code. */
export function figure(
  name: string,
  value: number,
  unit: string,
  limit?: { atLeast: number } | { atMost: number },
): void {
  const kept = !limit || ('atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost)
  const bound = !limit ? '' : 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`
  if (!kept) process.exitCode = 1
  console.log(`${kept ? ' ' : '!'} ${name.padEnd(64)} ${format(value)} ${unit.padEnd(14)} ${bound}`)
}

const format = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0).padStart(9)

/** The middle one of several measurements. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
