// Responses of pages as they are sent: in an encoding that their readers accept, those for anonymous users from a cache, and feeds with an ETag.
import { hash, randomBytes } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Changes, CommitCache } from '../../database/commit-cache.ts'
import { isUnchanged } from '../http/send-file.ts'

// Pages for anonymous users, cached until the next commit: the same for all of them except the nonce of the page's scripts (CSP 3,
// 2.3.1), which is new for each.

interface Page {
  /** The text between the places of the nonce. */
  pieces: string[]
  policy: string[]
  headers: Headers
  keptAt: number
}

/** "3 minutes ago" is written by the server. */
const MAX_AGE_MILLISECONDS = 10_000

export class CachedPages {
  readonly #pages: CommitCache<Page>

  constructor(changes: Changes) {
    this.#pages = new CommitCache(changes, { name: 'pages', most: 500, mostWeight: 16_000_000 })
  }

  /** The page at `url` with a new nonce, if there was no commit since it was rendered. */
  find(url: string, now: number): Response | undefined {
    const page = this.#pages.find(url)
    if (!page || now - page.keptAt > MAX_AGE_MILLISECONDS) return undefined
    const nonce = randomBytes(16).toString('base64')
    const headers = new Headers(page.headers)
    headers.set('Content-Security-Policy', page.policy.join(nonce))
    return new Response(page.pieces.join(nonce), { headers })
  }

  /** Renders the page at `url`, and caches it unless it says `no-store`. */
  fill(url: string, now: number, render: () => Promise<Response>): Promise<Response> {
    return this.#pages.fill(url, async (keep) => {
      const response = await render()
      const { headers } = response
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
      const isPage = response.status === 200 && headers.get('content-type')?.startsWith('text/html')
      if (!isPage || headers.has('set-cookie') || headers.get('cache-control') === 'no-store') return response
      const text = await response.text()
      const split = (whole: string) => (nonce ? whole.split(nonce) : [whole])
      keep({ pieces: split(text), policy: split(policy), headers: new Headers(headers), keptAt: now }, text.length)
      return new Response(text, { headers })
    })
  }
}

/** Compressing less saves nothing. */
const LEAST_BYTES = 1_400
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * The page in an encoding that its reader accepts (Accept-Encoding; RFC 9110, 12.5.3): zstd, gzip, or plain. A list is 50 KB of HTML and
 * 9 KB of zstd, for a tenth of a millisecond. A page contains no secret besides the reader's own input, so compressing it is safe.
 */
export async function compress({ method, headers: asked }: Request, response: Response): Promise<Response> {
  if (method !== 'GET' || !response.headers.get('content-type')?.startsWith('text/html')) return response
  response.headers.append('Vary', 'Accept-Encoding')
  const encoding = /\b(zstd|gzip)\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/g
  const taken = new Set((asked.get('accept-encoding') ?? '').match(encoding))
  if (taken.size === 0) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  if (bytes.byteLength < LEAST_BYTES) return new Response(bytes, { status, headers })
  headers.delete('Content-Length')
  headers.set('Content-Encoding', taken.has('zstd') ? 'zstd' : 'gzip')
  const body = taken.has('zstd') ? zstdCompressSync(bytes, fastest) : gzipSync(bytes, { level: 1 })
  return new Response(new Uint8Array(body), { status, headers })
}

/** Whether a path is that of a feed or a calendar: programs read them, with the key of an account where that is needed. No file of an item is one. */
export const isFeed = (path: string): boolean => /^(?!.*\/files\/).*\.atom$|^\/calendar\/[a-z]+\.ics$/.test(path)

const FEED_TYPE = /^(?:application\/atom\+xml|text\/calendar)\b/

/**
 * An Atom feed or a calendar with an ETag, so that an unchanged one costs no bytes, and readable by pages of any origin: the response with its headers, or a 304
 * without a body (RFC 9110, 15.4.5); other responses as they are.
 */
export async function feedResponse({ method, headers: asked }: Request, response: Response): Promise<Response> {
  if (response.status !== 200 || !FEED_TYPE.test(response.headers.get('content-type') ?? '')) return response
  const text = await response.text()
  const etag = `"${hash('sha256', text, 'base64url')}"`
  const headers = new Headers(response.headers)
  // The response to a HEAD has no text to make it of (RFC 9110, 9.3.2).
  if (method !== 'HEAD') headers.set('ETag', etag)
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag')
  if (!isUnchanged(asked, etag)) return new Response(text, { headers })
  headers.delete('Content-Type')
  return new Response(null, { status: 304, headers })
}
