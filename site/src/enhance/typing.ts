// Changes of a text area as if they were typed, so that the browser can undo them.
import type { Change } from './writing.ts'

export type Field = HTMLTextAreaElement

/** Makes a change as if it were typed. */
export function apply(field: Field, { from, to, text, start, end }: Change): void {
  field.focus()
  field.setSelectionRange(from, to)
  const isTyped = document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
  if (!isTyped && from + text.length > 0) {
    field.setRangeText(text, from, to, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(start, end)
}
