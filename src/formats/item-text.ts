// What the library keeps of any file, whatever its kind: a name, a description and a meta of bounded size.
import { FormatError } from './format-error.ts'
import { cut } from './text.ts'

const LONGEST_NAME = 100
const LONGEST_DESCRIPTION = 2_000

/** Most bytes of JSON that `meta` may take: every listing carries it, so an upload must not make it endless. */
export const MAX_META_BYTES = 256 * 1024

export const TOO_MANY_NAMES = `expected at most ${MAX_META_BYTES / 1024} KiB of names to list (types, actions, domains)`

/** The item name a file gives itself: trimmed, cut to 100 characters, or `otherwise` when nothing is left. */
export function itemName(given: string, otherwise: string): string {
  return cut(given.trim(), LONGEST_NAME).trimEnd() || otherwise
}

/** The item description a file gives itself: trimmed (behaviour.md, section 0), cut to 2,000 characters (formats.md section 1). */
export function itemDescription(given: string): string {
  return cut(given.trim(), LONGEST_DESCRIPTION)
}

/** @throws FormatError when what is derived from a file outgrows what a listing can carry */
export function assertMetaSize(meta: object): void {
  if (Buffer.byteLength(JSON.stringify(meta)) > MAX_META_BYTES) throw new FormatError(TOO_MANY_NAMES)
}
