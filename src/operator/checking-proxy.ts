// What `npm run admin -- check` finds out about the proxy, by requests to BASE_URL: what arrives of them is in the details of /readyz.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Config } from '../config/config.ts'
import { reasonOf } from '../runtime/outage.ts'

/** What a check found: all is well; something to know; something that is wrong; or why there was nothing to look at. */
export interface CheckResult {
  state: 'ok' | 'warning' | 'error' | 'skipped'
  detail: string
}

const PATIENCE_MILLISECONDS = 5_000
/** Of no machine (RFC 5737): a server that believes it believes what callers write. */
const FORGED = '192.0.2.1'
/** Uploads are at most this large; a proxy that refuses them does so by the length alone. */
const UPLOAD_BYTES = 25_000_000

/** What a request looked like when it arrived, as /readyz tells the operator. */
const SEEN = /^request: host (\S*), client (\S*), peer (\S*), forwarded (.*)$/m

export async function checkProxy({ baseUrl, publicOrigin, metricsToken, trustProxy }: Config): Promise<CheckResult> {
  const headers: Record<string, string> = metricsToken
    ? { Authorization: `Bearer ${metricsToken}`, 'X-Forwarded-For': FORGED }
    : {}
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS)
  let response: Response
  try {
    response = await fetch(`${baseUrl}/readyz`, { headers, redirect: 'manual', signal })
  } catch (error) {
    const detail = `${baseUrl} does not respond: ${reasonOf(error)}`
    return { state: publicOrigin ? 'error' : 'skipped', detail }
  }
  const complaint = complaintAbout(response, baseUrl) ?? (await complaintAboutBodies(baseUrl))
  if (complaint !== undefined) return { state: 'error', detail: complaint }
  const [, host, client, peer, forwarded] = (await response.text()).match(SEEN) ?? []
  if (host === undefined || client === undefined || peer === undefined || forwarded === undefined) {
    const detail = `${baseUrl} responds; with METRICS_TOKEN this would look at the headers of the proxy too`
    return { state: publicOrigin ? 'warning' : 'ok', detail }
  }
  return judge({ host, client, peer, forwarded }, { expected: new URL(baseUrl).host, trustProxy })
}

function complaintAbout({ status, headers }: Response, baseUrl: string): string | undefined {
  if (status >= 300 && status < 400)
    return `${baseUrl} redirects to ${headers.get('location')}: set BASE_URL to that origin`
  if (!headers.has('x-request-id')) return `what responds at ${baseUrl} is not this server: status ${status}`
  return status === 200 ? undefined : `${baseUrl}/readyz responds with ${status}`
}

interface ProxiedRequest {
  host: string
  client: string
  peer: string
  forwarded: string
}

/** `forwarded` begins with what was forged, unless a proxy wrote the header itself. */
export function judge(
  { host, client, peer, forwarded }: ProxiedRequest,
  { expected, trustProxy }: { expected: string; trustProxy: number },
): CheckResult {
  const error = (detail: string): CheckResult => ({ state: 'error', detail })
  if (host !== expected) return error(`the proxy sends "Host: ${host}"; it must pass on ${expected}`)
  const entries = forwarded
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const proxies = entries[0] === FORGED ? entries.length - 1 : entries.length
  if (client === FORGED)
    return error(
      `TRUST_PROXY is ${trustProxy}, but ${proxies} proxies write X-Forwarded-For: callers choose their address`,
    )
  if (proxies > trustProxy)
    return error(
      `${proxies} proxies write X-Forwarded-For, but TRUST_PROXY is ${trustProxy}: all callers seem to be ${client}`,
    )
  return { state: 'ok', detail: proxies === 0 ? 'no proxy is in front' : `a caller is ${client}, through ${peer}` }
}

/** Sends the head of a large request: a proxy that takes less says 413 at once, and Guildhall asks for a credential. */
function complaintAboutBodies(baseUrl: string): Promise<string | undefined> {
  const request = baseUrl.startsWith('https:') ? httpsRequest : httpRequest
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const headers = { 'Content-Length': UPLOAD_BYTES, 'Content-Type': 'application/octet-stream' }
  const sent = request(`${baseUrl}/api/library/items`, { method: 'POST', headers, timeout: 1_000 }, (response) => {
    const isTheirs = response.statusCode === 413 && response.headers['x-request-id'] === undefined
    resolve(isTheirs ? `the proxy refuses bodies of ${UPLOAD_BYTES} bytes: raise its limit` : undefined)
    sent.destroy()
  })
  // A proxy that waits for the body before it asks Guildhall takes it.
  sent.on('timeout', () => sent.destroy())
  sent.on('error', () => resolve(undefined))
  sent.on('close', () => resolve(undefined))
  sent.flushHeaders()
  return promise
}
