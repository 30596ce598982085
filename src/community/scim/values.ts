// A list of values of a resource while a PATCH changes it (RFC 7644, 3.5.2). They are found by their `value`, as providers write it, so that many
// operations on many members take no longer than their number; a filter on anything else looks through all of them, and how often is bounded.
import type { Filter } from 'scim2-parse-filter'
import { fits, soughtIn } from './filter.ts'
import { ScimError } from './messages.ts'

/** So many values are looked at for filters of one PATCH. */
export const MAX_LOOKED_AT = 50_000

type Value = Record<string, unknown>

export const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): Value => (isPlainObject(value) ? (value as Value) : {})
export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Case counts in no comparison of text. */
const keyOf = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

export class Values {
  readonly #name: string
  readonly #most: number
  readonly #found = new Map<unknown, unknown[]>()
  #count = 0
  #lookedAt = 0

  /** `most` is the number of values that there may be. */
  constructor(name: string, most: number, given: readonly unknown[]) {
    this.#name = name
    this.#most = most
    for (const one of given) this.append(one)
  }

  append(one: unknown): void {
    const key = keyOf(objectOf(one)['value'])
    const same = this.#found.get(key)
    if (same) same.push(one)
    else this.#found.set(key, [one])
    this.#count++
    if (this.#count > this.#most)
      throw new ScimError(400, `${this.#name}: there are at most ${this.#most}`, 'invalidValue')
  }

  all(): unknown[] {
    return [...this.#found.values()].flat()
  }

  /** Adds what is not there yet. */
  add(given: readonly unknown[]): void {
    for (const one of given) if (!this.#found.has(keyOf(objectOf(one)['value']))) this.append(one)
  }

  replace(given: readonly unknown[]): void {
    this.#found.clear()
    this.#count = 0
    for (const one of given) this.append(one)
  }

  remove(given: readonly unknown[]): void {
    for (const one of given) this.#removeKey(keyOf(objectOf(one)['value']))
  }

  #removeKey(key: unknown): void {
    this.#count -= this.#found.get(key)?.length ?? 0
    this.#found.delete(key)
  }

  /** Has `to` change those that fit, or remove them by undefined; gives whether there are any. */
  change(filter: Filter, to: (one: Value) => Value | undefined): boolean {
    const sought = soughtIn(filter)
    if (sought?.attribute === 'value') {
      const same = this.#found.get(keyOf(sought.value))
      if (!same) return false
      if (same.every((one) => to(objectOf(one)) === undefined)) {
        this.#removeKey(keyOf(sought.value))
        return true
      }
    }
    this.#lookedAt += this.#count
    if (this.#lookedAt > MAX_LOOKED_AT)
      throw new ScimError(400, 'Too many to look through; name members by their value', 'tooMany')
    let isThere = false
    const changed = this.all().map((one) => {
      if (!fits(one, filter)) return one
      isThere = true
      return to(objectOf(one))
    })
    this.replace(changed.filter((one) => one !== undefined))
    return isThere
  }
}
