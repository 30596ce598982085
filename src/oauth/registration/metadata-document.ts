// Client ID metadata documents: the client's id is an https URL, and the document there describes the client. Any caller can choose
// the URL, so: public addresses only (checked on the address that is connected to), no redirects, 5 KB, 5 seconds.
import { lookup as dnsLookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export const DOCUMENT_BYTES = 5 * 1024
const TIMEOUT_MILLISECONDS = 5_000
/** Maximum number of concurrent fetches for all callers. */
const AT_ONCE = 20

export interface Reach {
  isAllowed(address: string): boolean
  /** More certificate authorities to trust. */
  ca?: string
}

export type FetchDocument = (url: string) => Promise<Response>

let running = 0

/** The answer at `url`; rejects when it cannot or must not be had. */
export async function fetchDocument(url: string, reach: Reach = { isAllowed: isPublicAddress }): Promise<Response> {
  if (running >= AT_ONCE) throw new Error('Too many documents are being fetched; try again')
  running++
  try {
    return await get(new URL(url), reach)
  } finally {
    running--
  }
}

const refused = (address: string) => new Error(`${address} is not a public address`)

/** Resolves names as usual, but never returns an address that must not be connected to. */
const guarded =
  ({ isAllowed }: Reach): LookupFunction =>
  (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const bad = addresses.find(({ address }) => !isAllowed(address))
      const first = addresses[0]
      if (error) callback(error, [])
      else if (bad || !first) callback(refused(bad?.address ?? hostname), [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

async function get(url: URL, reach: Reach): Promise<Response> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is connected to without asking the lookup.
  if (isIP(literal) !== 0 && !reach.isAllowed(literal)) throw refused(literal)
  const options: RequestOptions = {
    lookup: guarded(reach),
    agent: false,
    headers: { Accept: 'application/json', 'User-Agent': 'Guildhall' },
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    ...(reach.ca && { ca: reach.ca }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end()
  })
  const chunks: Buffer[] = []
  let size = 0
  // An error in the loop closes the connection.
  for await (const chunk of response) {
    size += chunk.length
    if (size > DOCUMENT_BYTES) throw new Error(`The document is larger than ${DOCUMENT_BYTES} bytes`)
    chunks.push(chunk)
  }
  const cacheControl = response.headers['cache-control']
  return new Response(Buffer.concat(chunks), {
    // A redirect is an answer like any other here: not the document.
    status: response.statusCode === 200 ? 200 : 502,
    headers: cacheControl ? { 'Cache-Control': cacheControl } : {},
  })
}
