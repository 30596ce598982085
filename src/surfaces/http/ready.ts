// Answers for strangers, kept until the next commit: as fast as a ready string.
import { CommitCache } from '../../database/commit-cache.ts'

interface Answer {
  body: Buffer
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
}

export class ReadyAnswers {
  readonly #answers: CommitCache<Answer>

  constructor(dataVersion: () => number) {
    this.#answers = new CommitCache(dataVersion, { most: 1_000, mostWeight: 16 * 1024 * 1024 })
  }

  /** The answer to `url`, if nothing was committed since it was made. */
  find(url: string): Answer | undefined {
    return this.#answers.find(url)
  }

  /** To be called before a query runs: what it gives keeps an answer unless a commit came in between. */
  storeFor(url: string): (body: string, headers: Record<string, string>) => void {
    const keep = this.#answers.storeFor(url)
    return (text, named) => {
      const body = Buffer.from(text)
      const { 'X-Request-Id': _own, ...headers } = named
      const all = {
        'Content-Type': 'application/json; charset=utf-8',
        ...headers,
        'Content-Length': String(body.byteLength),
      }
      keep({ body, headers: Object.entries(all).flat() }, body.byteLength)
    }
  }
}
