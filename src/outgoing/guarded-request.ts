// Requests to addresses that members and clients choose: public addresses only, checked on the address that is connected to, so that a
// name cannot lead elsewhere between a check and the connection. No redirects, a deadline for the whole, a bound on what is read.
import { lookup as dnsLookup } from 'node:dns'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import { hostWithPort } from '../runtime/addresses.ts'
import { traceHeaders } from '../runtime/tracing.ts'

// Which network addresses are public. URLs from anonymous callers are fetched from public addresses only.

/** IANA's registries of special-purpose addresses (RFC 6890), multicast and reserved ranges. */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of IPv6 only 2000::/3 is given out, and these parts of it are special: tunnels that lead to IPv4, and documentation. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const blockedV4 = blockList(specialV4, 'ipv4')
const blockedV6 = blockList(specialV6, 'ipv6')
const givenOutV6 = blockList(['2000::/3'], 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, 'ipv4')
  return isIPv6(address) && givenOutV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6')
}

/** Where requests may go. */
export interface Reach {
  isAllowed(address: string): boolean
  /** More certificate authorities to trust. */
  ca?: string
  /** Whether http is sent too; otherwise it is refused. */
  allowsHttp?: boolean
  /** For tests: where every name leads, because theirs are in no DNS. */
  standIn?: { address: string; port: number }
}

export const publicInternet: Reach = { isAllowed: isPublicAddress }

export interface GuardedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string | Uint8Array
  /** For all of it: name, connection and response. */
  timeoutMilliseconds: number
  /** How much of the response is read. */
  maxBytes: number
}

export interface GuardedResponse {
  /** A redirect is a response like any other. */
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** Whether the response had more than `maxBytes`. */
  isCut: boolean
}

/** One sentence for all: it does not tell which names of a private network there are, and where they lead. */
export const NO_PUBLIC_ADDRESS = 'This is not a public address, or none that can be found'
const refused = () => new Error(NO_PUBLIC_ADDRESS)

/** Throws when the host of a URL is an address that must not be connected to; names are checked when they are resolved. */
export function assertReachable({ hostname }: URL, { isAllowed }: Reach): void {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isAllowed(literal)) throw refused()
}

/** Resolves names as usual, but never returns an address that must not be connected to. */
const guarded =
  ({ isAllowed, standIn }: Reach): LookupFunction =>
  (hostname, options, callback) => {
    dnsLookup(standIn?.address ?? hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const bad = addresses.find(({ address }) => !isAllowed(address))
      const first = addresses[0]
      if (error || bad || !first) callback(refused(), [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

/** Sends a request to an https URL, or to an http one where that is allowed; rejects when it cannot or must not be sent, and after the deadline. */
export async function sendGuarded(url: URL, sent: GuardedRequest, reach: Reach): Promise<GuardedResponse> {
  // A literal address is connected to without asking the lookup.
  assertReachable(url, reach)
  const options: RequestOptions = {
    lookup: guarded(reach),
    agent: false,
    method: sent.method,
    headers: { 'User-Agent': 'Guildhall', ...traceHeaders(), ...sent.headers },
    signal: AbortSignal.timeout(sent.timeoutMilliseconds),
    ...(reach.ca && { ca: reach.ca }),
    ...(reach.standIn && { port: reach.standIn.port }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'http:' && reach.allowsHttp ? requestHttp : request
    send(url, options, resolve).on('error', reject).end(sent.body)
  })
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response) {
    chunks.push(chunk.subarray(0, sent.maxBytes - size))
    size += chunk.length
    if (size > sent.maxBytes) return { status, headers, body: Buffer.concat(chunks), isCut: true }
  }
  return { status, headers, body: Buffer.concat(chunks), isCut: false }
}

/**
 * How the service of the operator at a URL is reached. An admin names such a service in the browser, so it is reached on public addresses alone,
 * unless the environment of the server names its host and port too (PRIVATE_SERVICES); `otherwise` is what is reached that is not named.
 */
export function reachOf(url: URL, named: readonly string[], otherwise: Reach = publicInternet): Reach {
  if (!named.includes(hostWithPort(url))) return otherwise
  return { ...otherwise, isAllowed: () => true, allowsHttp: true }
}
