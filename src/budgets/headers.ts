// RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11): structured fields (RFC 9651), lists of strings with
// parameters.
import type { Standing } from '../contract/budget.ts'

export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  if (standings.length === 0) return {}
  return {
    'RateLimit-Policy': standings.map(policyItem).join(', '),
    RateLimit: standings.map(limitItem).join(', '),
  }
}

const policyItem = ({ policy, quota, window, unit }: Standing) =>
  `"${policy}";q=${quota}${unit ? `;qu="${unit}"` : ''}${window ? `;w=${window.seconds}` : ''}`

const limitItem = ({ policy, remaining, window }: Standing) =>
  `"${policy}";r=${remaining}${window ? `;t=${window.resetsInSeconds}` : ''}`
