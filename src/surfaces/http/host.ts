// The Host of a request is a name or an address with a port, once, or the request is refused before anything looks at it
// (behaviour.md, section 0): no program in front of us, and no library behind, may take it for something else.
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** Of nearly every request this is all that is done. A name may end with a dot; `_` is in names of containers. */
const NAMED = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?(?::(\d{1,5}))?$/i
const NUMBERED = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i

const MAX_LENGTH = 260
const MAX_PORT = 65_535

/** Whether the Host of a request is one, and is there once. A request of HTTP/1.0 may have none (RFC 9112, 3.2). */
export function hasGoodHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0'
  return isHost(headers.host) && countHosts(rawHeaders) === 1
}

function isHost(host: string): boolean {
  if (host.length > MAX_LENGTH) return false
  const named = NAMED.exec(host)
  if (named) return isPort(named[1])
  const [, address, port] = NUMBERED.exec(host) ?? []
  return address !== undefined && isIPv6(address) && isPort(port)
}

const isPort = (port: string | undefined) => port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT)

/** Node keeps the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++
  }
  return count
}
