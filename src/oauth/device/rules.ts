// Rules of the device authorization grant (RFC 8628), without input or output.
/** How long a person has to decide. */
export const DEVICE_SECONDS = 600
/** Between two polls; each poll that comes too soon adds five seconds (3.5). */
export const INTERVAL_SECONDS = 5
export const MAX_INTERVAL_SECONDS = 60
/** Polls that a slow network moved together are not too soon. */
const SLACK_MILLISECONDS = 500

/** Whether a poll comes before the interval is over. */
export const isTooSoon = (
  { polledAt, intervalSeconds }: { polledAt: string | null; intervalSeconds: number },
  now: string,
): boolean => polledAt !== null && Date.parse(now) - Date.parse(polledAt) < intervalSeconds * 1000 - SLACK_MILLISECONDS
