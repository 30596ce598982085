// Answers for strangers, kept until the next commit of any process: never stale, and as fast as a ready string.

interface Answer {
  body: Buffer
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
}

const MAX_ANSWERS = 1_000
const MAX_BYTES = 16 * 1024 * 1024

export class ReadyAnswers {
  readonly #dataVersion: () => number
  readonly #answers = new Map<string, Answer>()
  #version = Number.NaN
  #bytes = 0

  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion
  }

  /** The answer to `url`, if nothing was committed since it was made. */
  find(url: string): Answer | undefined {
    return this.#isCurrent() ? this.#answers.get(url) : undefined
  }

  /** To be called before a query runs: what it gives keeps an answer unless a commit came in between. */
  keeper(url: string): (body: string, headers: Record<string, string>) => void {
    this.#isCurrent()
    const version = this.#version
    return (text, named) => {
      if (!this.#isCurrent() || this.#version !== version || this.#answers.size >= MAX_ANSWERS) return
      const body = Buffer.from(text)
      if (this.#bytes + body.byteLength > MAX_BYTES) return
      this.#bytes += body.byteLength
      const { 'X-Request-Id': _own, ...headers } = named
      const all = {
        'Content-Type': 'application/json; charset=utf-8',
        ...headers,
        'Content-Length': String(body.byteLength),
      }
      this.#answers.set(url, { body, headers: Object.entries(all).flat() })
    }
  }

  /** Forgets everything when there was a commit; says whether nothing had to be forgotten. */
  #isCurrent(): boolean {
    const version = this.#dataVersion()
    if (version === this.#version) return true
    this.#answers.clear()
    this.#bytes = 0
    this.#version = version
    return false
  }
}
