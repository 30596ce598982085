// A button that puts a line of Markdown into a field, where the cursor was last, with the description selected to be typed over.
import { announce } from './say.ts'

export function insert({ dataset }: HTMLElement): void {
  const field = document.querySelector<HTMLTextAreaElement>(`textarea[name="${CSS.escape(dataset.into ?? '')}"]`)
  const { insert: line = '', alt = '' } = dataset
  if (!field) return
  const { selectionStart: at, value } = field
  const before = value.slice(0, at)
  const start = before.length + (/(^|\n\n)$/.test(before) ? 0 : before.endsWith('\n') ? 1 : 2)
  const gap = '\n'.repeat(start - before.length)
  field.focus()
  field.setRangeText(
    `${gap}${line}${value.slice(at).startsWith('\n') || at === value.length ? '\n' : '\n\n'}`,
    at,
    at,
    'end',
  )
  field.setSelectionRange(start + 2, start + 2 + alt.length)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  announce(dataset.done ?? '')
}
