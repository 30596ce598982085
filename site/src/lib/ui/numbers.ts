// Numbers for people.

/** 999, 1.2k, 12k, 3.4M */
export function short(count: number): string {
  const size = Math.abs(count)
  if (size < 1000) return String(count)
  const [divisor, unit] = size < 1_000_000 ? [1000, 'k'] : [1_000_000, 'M']
  const scaled = Math.trunc((count / divisor) * 10) / 10
  return `${Math.abs(scaled) < 10 ? scaled : Math.trunc(scaled)}${unit}`
}

/** 831 bytes, 12 KB, 3.4 MB; a KB is 1,000 bytes. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} byte${count === 1 ? '' : 's'}`
  const [divisor, unit] = count < 1_000_000 ? [1000, 'KB'] : [1_000_000, 'MB']
  const scaled = count / divisor
  return `${scaled < 10 ? Math.round(scaled * 10) / 10 : Math.round(scaled)} ${unit}`
}
