// The beginning of a text, as the feed and notifications show it.

const PREVIEW_LENGTH = 200

/** The first 200 characters and an ellipsis when there are more; never half of a surrogate pair. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text
  const cut = text.slice(0, PREVIEW_LENGTH)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
