// Pages for strangers, kept until the next commit of any process: the same for all of them but for the nonce of the page's
// scripts (CSP 3, 2.3.1), which is made anew for each.
import { randomBytes } from 'node:crypto'

interface Page {
  /** The text between the places where the nonce stands. */
  pieces: string[]
  policy: string[]
  headers: Headers
  keptAt: number
}

/** "3 minutes ago" is written by the server. */
const MOST_AGE_MILLISECONDS = 10_000
const MOST_PAGES = 500
const MOST_CHARACTERS = 16_000_000

export class KeptPages {
  readonly #dataVersion: () => number
  readonly #pages = new Map<string, Page>()
  #version = Number.NaN
  #characters = 0

  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion
  }

  /** The page at `url`, with a nonce of its own, if nothing was committed since it was made. */
  find(url: string, now: number): Response | undefined {
    if (!this.#isCurrent()) return undefined
    const page = this.#pages.get(url)
    if (!page || now - page.keptAt > MOST_AGE_MILLISECONDS) return undefined
    const nonce = randomBytes(16).toString('base64')
    const headers = new Headers(page.headers)
    headers.set('Content-Security-Policy', page.policy.join(nonce))
    return new Response(page.pieces.join(nonce), { headers })
  }

  /** To be called before a page is made: what it gives keeps the page unless a commit came in between. */
  keeper(url: string, now: number): (response: Response) => Promise<Response> {
    this.#isCurrent()
    const version = this.#version
    return async (response) => {
      const { headers } = response
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
      const isPage = response.status === 200 && headers.get('content-type')?.startsWith('text/html')
      if (!isPage || headers.has('set-cookie')) return response
      const text = await response.text()
      if (this.#isCurrent() && this.#version === version) {
        this.#makeRoom(text)
        headers.delete('x-request-id')
        const split = (whole: string) => (nonce ? whole.split(nonce) : [whole])
        this.#characters += text.length
        this.#pages.set(url, { pieces: split(text), policy: split(policy), headers: new Headers(headers), keptAt: now })
      }
      return new Response(text, { headers })
    }
  }

  #makeRoom({ length }: string): void {
    if (this.#pages.size < MOST_PAGES && this.#characters + length <= MOST_CHARACTERS) return
    this.#pages.clear()
    this.#characters = 0
  }

  /** Forgets everything when there was a commit; says whether nothing had to be forgotten. */
  #isCurrent(): boolean {
    const version = this.#dataVersion()
    if (version === this.#version) return true
    this.#pages.clear()
    this.#characters = 0
    this.#version = version
    return false
  }
}
