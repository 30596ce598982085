// What was made of a text is made once. Whoever asks for a page again and again does not pay for its worst text again.

/** `make`, which remembers what it made, the latest first, in at most `most` characters of texts and results. */
export function remember(make: (text: string) => string, most: number): (text: string) => string {
  const made = new Map<string, string>()
  let size = 0
  return (text) => {
    let result = made.get(text)
    if (result === undefined) {
      result = make(text)
      size += text.length + result.length
    } else made.delete(text)
    made.set(text, result)
    for (const [oldest, its] of made) {
      if (size <= most) break
      made.delete(oldest)
      size -= oldest.length + its.length
    }
    return result
  }
}
