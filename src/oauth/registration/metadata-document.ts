// Client ID metadata documents: the client's id is an https URL, and the document there describes the client. Any caller can choose
// the URL, so: public addresses only (outgoing/guarded-request.ts), no redirects, 5 KB, 5 seconds.
import { publicInternet, type Reach, sendGuarded } from '../../outgoing/guarded-request.ts'

export const DOCUMENT_BYTES = 5 * 1024
const TIMEOUT_MILLISECONDS = 5_000
/** Maximum number of concurrent fetches for all callers. */
const AT_ONCE = 20

let running = 0

/** The answer at `url`; rejects when it cannot or must not be had. */
export async function fetchDocument(url: string, reach: Reach = publicInternet): Promise<Response> {
  if (running >= AT_ONCE) throw new Error('Too many documents are being fetched; try again')
  running++
  try {
    return await get(new URL(url), reach)
  } finally {
    running--
  }
}

async function get(url: URL, reach: Reach): Promise<Response> {
  const { status, headers, body, isCut } = await sendGuarded(
    url,
    {
      method: 'GET',
      headers: { Accept: 'application/json' },
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maxBytes: DOCUMENT_BYTES,
    },
    reach,
  )
  if (isCut) throw new Error(`The document is larger than ${DOCUMENT_BYTES} bytes`)
  const cacheControl = headers['cache-control']
  return new Response(new Uint8Array(body), {
    // A redirect is an answer like any other here: not the document.
    status: status === 200 ? 200 : 502,
    headers: cacheControl ? { 'Cache-Control': cacheControl } : {},
  })
}
