// What fields do with a script: count characters, preview Markdown, copy text.
import { documentIn } from './trusted.ts'
import { word } from './words.ts'

/** Copies the text of the button, or the code beside it, and says so for two seconds. */
export async function copy(button: HTMLElement): Promise<void> {
  const words = button.textContent
  const code = button.parentElement?.querySelector('code')?.textContent ?? ''
  // A line break at the end would carry out a command that is pasted into a terminal.
  await navigator.clipboard.writeText(button.dataset.copy || code.replace(/\n$/, ''))
  button.textContent = word('page.copied')
  setTimeout(() => {
    button.textContent = words
  }, 2000)
}

/** Shows how many characters are left, near the limit, or how many are too many. */
export function count(field: HTMLElement): void {
  const { maxLength, value, dataset } = field as HTMLInputElement
  const limit = Number(dataset.max ?? maxLength)
  const counter = field.closest('.field')?.querySelector<HTMLElement>('.counter')
  if (!counter || !(limit > 0)) return
  const left = limit - value.length
  counter.hidden = left > Math.max(20, limit * 0.1)
  counter.classList.toggle('wrong', left < 0)
  const words = (left < 0 ? counter.dataset.over : counter.dataset.left) ?? ''
  if (!counter.hidden) counter.textContent = words.replace('{n}', String(Math.abs(left)))
}

function bar(): HTMLElement {
  const made = document.createElement('div')
  made.className = 'skeleton'
  return made
}

/** Shows the preview over the field of the button's editor, or the field again. Nothing moves. */
export async function view(button: HTMLElement): Promise<void> {
  const editor = button.closest<HTMLElement>('[data-editor]')!
  const shown = editor.querySelector<HTMLElement>('.markup')!
  const field = editor.querySelector('textarea')!
  const isPreview = button.dataset.view === 'preview'
  for (const one of editor.querySelectorAll('[data-view]')) one.setAttribute('aria-pressed', String(one === button))
  shown.hidden = !isPreview
  field.classList.toggle('covered', isPreview)
  field.inert = isPreview
  if (!isPreview) return field.focus()
  shown.tabIndex = 0
  shown.replaceChildren(bar(), bar(), bar())
  const response = await fetch('/preview', { method: 'POST', body: field.value }).catch(() => undefined)
  // The server has sanitized this HTML (lib/server/markdown.ts).
  const made = response?.ok ? await documentIn(response, 'part') : undefined
  if (made) shown.replaceChildren(...made.body.childNodes)
  else shown.textContent = JSON.parse(editor.dataset.words ?? '{}').preview
}
