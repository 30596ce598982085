// The beginning of a text, as the feed and notifications show it.
import { beginningOf } from '../contract/storable.ts'

const PREVIEW_LENGTH = 200
const NAME_LENGTH = 80

/** The first 200 characters and an ellipsis when there are more; never half of a surrogate pair. */
export function preview(text: string): string {
  return beginning(text, PREVIEW_LENGTH)
}

/** What names a thing without a title: the beginning of its text, on one line. */
export const nameFrom = (text: string): string => beginning(text.replace(/\s+/g, ' ').trim(), NAME_LENGTH)

function beginning(text: string, max: number): string {
  if (text.length <= max) return text
  return `${beginningOf(text, max)}…`
}
