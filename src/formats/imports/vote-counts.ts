// Votes that a source counts and those whose voters it names: the difference is left out, and the report says so.
import type { RawRecord } from './cleaning.ts'

export class VoteCounts {
  readonly #counted = new Map<string, number>()
  readonly #come = new Map<string, Set<string>>()

  /** The thing says that it has so many votes. It may say so in each pass. */
  counted(thing: string | undefined, votes: number): void {
    if (thing !== undefined && votes > 0) this.#counted.set(thing, Math.max(votes, this.#counted.get(thing) ?? 0))
  }

  come(thing: string | undefined, person: string): void {
    if (thing !== undefined) this.#come.set(thing, (this.#come.get(thing) ?? new Set()).add(person))
  }

  *missing(): Iterable<RawRecord> {
    let count = 0
    for (const [thing, votes] of this.#counted) count += Math.max(votes - (this.#come.get(thing)?.size ?? 0), 0)
    if (count > 0) yield { type: 'left out', what: 'votes whose voters are not in the files', count }
  }
}
