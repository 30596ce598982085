// A cache of rendered texts, so that the same text is rendered once.

/** A least-recently-used cache with at most `most` characters of texts and results. */
export function remembered(most: number) {
  const made = new Map<string, string>()
  let size = 0
  const keep = (text: string, result: string) => {
    const before = made.get(text)
    if (before !== undefined) size -= text.length + before.length
    made.delete(text)
    made.set(text, result)
    size += text.length + result.length
    for (const [oldest, its] of made) {
      if (size <= most) break
      made.delete(oldest)
      size -= oldest.length + its.length
    }
  }
  const find = (text: string): string | undefined => {
    const result = made.get(text)
    if (result === undefined) return undefined
    made.delete(text)
    made.set(text, result)
    return result
  }
  return { find, keep }
}

/** `make` with such a cache. */
export function remember(make: (text: string) => string, most: number): (text: string) => string {
  const { find, keep } = remembered(most)
  return (text) => {
    const known = find(text)
    if (known !== undefined) return known
    const result = make(text)
    keep(text, result)
    return result
  }
}
