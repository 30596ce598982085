// What both engines do with rows that are cached until a commit (prepared.ts).

/** Weight in characters. Room for the callers of a busy second: each has a row (their session or token). */
export const CACHED_ROWS = { name: 'rows' as const, most: 2_000, mostWeight: 2_000_000 }

/** Freezes rows that many callers share; returns their weight. */
export function freezeRows(rows: readonly unknown[]): number {
  let length = 0
  for (const row of Object.freeze(rows)) {
    for (const value of Object.values(Object.freeze(row) ?? {})) if (typeof value === 'string') length += value.length
  }
  return length
}
