// What a list says of an item's `meta` (behaviour.md, section 4): a page of a hundred items must stay small with any
// files.

/** Most bytes of JSON in a list, `truncated` included. */
export const MAX_SUMMARY_BYTES = 4 * 1024
/** A text that is cut keeps so many characters: enough for an id, a name, a range of versions. */
const MAX_TEXT = 200
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/**
 * The whole of `meta` if it takes at most 4 KB. Otherwise `truncated: true`, every single value, texts cut to 200 characters,
 * and of each list its first entries, as many as there is room for.
 */
export function summaryOf(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (bytesOf(meta) <= MAX_SUMMARY_BYTES) return { ...meta }
  const summary: Record<string, unknown> = {}
  const lists: [name: string, entries: unknown[]][] = []
  for (const [name, value] of Object.entries(meta)) {
    if (Array.isArray(value)) lists.push([name, value])
    else if (typeof value === 'string') summary[name] = shortened(value)
    else if (typeof value !== 'object' || value === null) summary[name] = value
  }
  for (const [name] of lists) summary[name] = []
  summary['truncated'] = true
  let room = MAX_SUMMARY_BYTES - bytesOf(summary)
  // The shortest list first: what it leaves of its share is for the others.
  const byLength = lists.toSorted(([, one], [, other]) => one.length - other.length)
  for (const [at, [name, entries]] of byLength.entries()) {
    const taken = entriesWithin(entries, Math.floor(room / (byLength.length - at)))
    summary[name] = taken.entries
    room -= taken.bytes
  }
  return summary
}

function entriesWithin(entries: readonly unknown[], room: number): { entries: unknown[]; bytes: number } {
  const taken: unknown[] = []
  let bytes = 0
  for (const entry of entries) {
    const given = typeof entry === 'string' ? shortened(entry) : entry
    const more = bytesOf(given) + 1
    if (bytes + more > room) break
    taken.push(given)
    bytes += more
  }
  return { entries: taken, bytes }
}

const shortened = (text: string) =>
  text.length > MAX_TEXT
    ? text
        .slice(0, MAX_TEXT)
        .toWellFormed()
        .replace(/\ufffd$/, '')
    : text

/** All of it, where that is more than lists show: stored with what is only read with the item itself. */
export function wholeMeta(meta: Record<string, unknown>): string | null {
  const text = JSON.stringify(meta)
  return Buffer.byteLength(text) > MAX_SUMMARY_BYTES ? text : null
}
