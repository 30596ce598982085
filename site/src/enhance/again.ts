// When to try again, and the sentence for a blocked account, as the script shows them.

/** "Try again in 12 minutes.", from the seconds of Retry-After. */
export function retry(seconds: number): string {
  if (!(seconds > 0)) return 'Wait a moment, then try again.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`
}

export const BLOCKED = 'This account is blocked. If you think this is a mistake, contact the operator of this site.'
