// One warning about a valid file, and the list of the first ones.
import { quote } from './format-error.ts'
import { isObject } from './permission-set.ts'

/** What is accepted and means nothing (warnings.ts). */
export interface Warning {
  /** dotted: `roles.1.reports_to` */
  path: string
  message: string
}

/** More warnings of one file are left out. */
export const MAX_WARNINGS = 50

export class Findings {
  readonly list: Warning[] = []

  get isFull(): boolean {
    return this.list.length >= MAX_WARNINGS
  }

  /** @param message may contain text of the file, which is made fit for one line here */
  add(path: readonly (string | number)[], message: string): void {
    if (!this.isFull) this.list.push({ path: quote(path.join('.')), message: quote(message) })
  }
}

/** The objects of a list, with their places. */
export function objectsIn(value: unknown): [index: number, entry: Record<string, unknown>][] {
  return Array.isArray(value)
    ? [...value.entries()].filter((pair): pair is [number, Record<string, unknown>] => isObject(pair[1]))
    : []
}
