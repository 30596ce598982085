// How often something may be tried before it must wait.
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import { after, latest } from '../platform/clock.ts'
import { insertTry } from './queries.ts'

export interface Limit {
  tries: number
  windowSeconds: number
}

/** Counts a try; throws `rate_limited` with the seconds to wait once there were more than `limit.tries` in the window. */
export async function countTry(db: Db, key: string, limit: Limit, now: string): Promise<void> {
  const { count, resetsAt } = await insertTry(db, key, now, {
    resetsAt: after(now, limit.windowSeconds),
    latest: latest(now, limit.windowSeconds),
  })
  if (count <= limit.tries) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(resetsAt) - Date.parse(now)) / 1000))
  throw new Problem('rate_limited', 'Too many tries; wait a little and try again', { retryAfterSeconds })
}

/**
 * The part of a network address that one customer holds: an IPv4 address, or the /64 of an IPv6 one (RFC 6177).
 * Someone with a /64 has 2^64 addresses to try from.
 */
export function addressKey(address: string): string {
  const v4 = address.match(/^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i)
  if (v4) return v4[1]!
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].slice(0, 4).join(':')
}
