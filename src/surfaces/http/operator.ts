// Who is the operator: /metrics and the details of /readyz are for them alone (behaviour.md, section 0).

import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../runtime/addresses.ts'
import { sameHash, sha256 } from '../../runtime/hash.ts'
import { hostOf } from './files-origin.ts'
import type { RequestContext } from './pipeline.ts'

type Settings = Pick<Config, 'metricsToken' | 'metricsPort' | 'publicOrigin'>

/** A proxy on this machine makes every request come from loopback; each sends one of these. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a bearer token is the one that is set; it takes the same time for every wrong one. */
export function hasMetricsToken(headers: Headers, token: string): boolean {
  const sent = headers.get('authorization')?.match(/^bearer +([^ ]+) *$/i)?.[1] ?? ''
  return sameHash(sha256(sent), sha256(token))
}

/**
 * Whether a request to the public listener comes from the operator. With METRICS_TOKEN the token decides; with METRICS_PORT
 * alone no request does. With neither it is a direct call from this machine to its own name, where the origin cannot be reached from elsewhere:
 * no proxy in between, and no page of another site (which could have its own name lead here).
 */
export function isOperator(
  request: Request,
  { metricsToken, metricsPort, publicOrigin }: Settings,
  env: RequestContext = {},
) {
  if (metricsToken !== undefined) return hasMetricsToken(request.headers, metricsToken)
  if (metricsPort !== undefined || publicOrigin) return false
  // A call in process that says nothing of who caused it has no cause outside.
  const { peer, address } = env
  if (peer === undefined) return address === undefined
  return isLoopbackAddress(peer) && isDirect(request)
}

/** Whether nothing stands between the caller and the listener, and the caller knows the listener as this machine. */
export function isDirect(request: Request): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  return (
    isLoopback(URL.parse(`http://${hostOf(request)}`)?.hostname ?? '') &&
    !FORWARDING.some((name) => headers.has(name)) &&
    (site === null || site === 'same-origin' || site === 'none')
  )
}

const isLoopbackAddress = (address: string) => /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address)
