// Answers to anonymous users, cached until a commit that may change them: as fast as a ready string.
import type { Changes } from '../../database/changes.ts'
import { CommitCache } from '../../database/commit-cache.ts'

interface Answer {
  body: Buffer
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
}

export type KeepAnswer = (body: string, headers: Record<string, string>) => void

export class ReadyAnswers {
  readonly #answers: CommitCache<Answer>

  constructor(changes: Changes) {
    this.#answers = new CommitCache(changes, { name: 'answers', most: 1_000, mostWeight: 16 * 1024 * 1024 })
  }

  /** The answer to `url`, if nothing was committed since it was made. */
  find(url: string): Answer | undefined {
    return this.#answers.find(url)
  }

  /** Runs `answer` with a function that caches its response to `url`. */
  fill<Result>(url: string, answer: (keep: KeepAnswer) => Result): Result {
    return this.#answers.fill(url, (keep) =>
      answer((text, named) => {
        const body = Buffer.from(text)
        const { 'X-Request-Id': _own, ...headers } = named
        const all = {
          'Content-Type': 'application/json; charset=utf-8',
          ...headers,
          'Content-Length': String(body.byteLength),
        }
        keep({ body, headers: Object.entries(all).flat() }, body.byteLength)
      }),
    )
  }
}
