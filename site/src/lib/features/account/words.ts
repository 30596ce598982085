// What is said on the server and in the browser alike.

/** "Try again in 12 minutes.", of the seconds of a Retry-After. */
export function retry(seconds: number): string {
  if (!(seconds > 0)) return 'Wait a moment, then try again.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`
}

export const BLOCKED = 'This account is blocked. If you think this is a mistake, contact the operator of this site.'
