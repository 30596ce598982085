// Data that the library keeps of a file of any kind: a name, a description and a meta of bounded size.

import { oneLine } from '../contract/storable.ts'
import { FormatError } from './format-error.ts'
import { cut } from './text.ts'

const LONGEST_NAME = 100
const LONGEST_DESCRIPTION = 2_000

/** What an org without a visible name is called. */
export const UNTITLED_ORG = 'Untitled org'

/** Maximum bytes of JSON for `meta`: every list contains it, so an upload must not make it huge. */
export const MAX_META_BYTES = 256 * 1024

export const TOO_MANY_NAMES = `expected at most ${MAX_META_BYTES / 1024} KiB of names to list (types, actions, domains)`

/** The item name in the file: one line (behaviour.md, section 0), trimmed, cut to 100 characters, or `otherwise` when nothing is left. */
export function itemName(given: string, otherwise: string): string {
  return cut(oneLine(given).trim(), LONGEST_NAME).trimEnd() || otherwise
}

/** The item description a file gives itself: trimmed (behaviour.md, section 0), cut to 2,000 characters (formats.md section 1). */
export function itemDescription(given: string): string {
  return cut(given.trim(), LONGEST_DESCRIPTION)
}

/** @throws FormatError when the derived data is too large for a list */
export function assertMetaSize(meta: object): void {
  if (Buffer.byteLength(JSON.stringify(meta)) > MAX_META_BYTES) throw new FormatError(TOO_MANY_NAMES)
}
