// Pages for anonymous users, cached until the next commit: the same for all of them except the nonce of the page's scripts (CSP 3,
// 2.3.1), which is new for each.
import { randomBytes } from 'node:crypto'
import type { Changes } from '../../database/commit-cache.ts'
import { CommitCache } from '../../database/commit-cache.ts'

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
