// Times in words.
const steps: readonly [limitSeconds: number, unitSeconds: number, unit: string][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [28 * 86_400, 86_400, 'day'],
]

/** "3 hours ago", "just now"; a date when it is 28 days away or more. `now` in milliseconds. */
export function relative(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000)
  if (Math.abs(seconds) < 60) return 'just now'
  for (const [limit, size, unit] of steps) {
    if (Math.abs(seconds) >= limit) continue
    const count = Math.floor(Math.abs(seconds) / size)
    const words = `${count} ${unit}${count === 1 ? '' : 's'}`
    return seconds < 0 ? `in ${words}` : `${words} ago`
  }
  return day(at)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "21 Nov 2026": the same on the server and in every browser. */
export function day(at: string): string {
  const [year, month, date] = at.slice(0, 10).split('-')
  return `${Number(date)} ${months[Number(month) - 1]} ${year}`
}

/** "2026-11-21 09:30:00 UTC" */
export const exact = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`
