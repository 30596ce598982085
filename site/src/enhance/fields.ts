// What fields do with a script: count characters, preview Markdown, copy text.
import { documentIn } from './trusted.ts'

/** Copies the text beside the button and shows "Copied" for two seconds. */
export async function copy(button: HTMLElement): Promise<void> {
  const words = button.textContent
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = words
  }, 2000)
}

/** Shows how many characters are left, near the limit. */
export function count(field: HTMLElement): void {
  const { maxLength, value } = field as HTMLInputElement
  const counter = field.parentElement?.querySelector<HTMLElement>('.counter')
  if (!counter || !(maxLength > 0)) return
  const left = maxLength - value.length
  counter.hidden = left > Math.max(20, maxLength * 0.1)
  if (!counter.hidden) counter.textContent = `${left} left`
}

function bar(): HTMLElement {
  const made = document.createElement('div')
  made.className = 'skeleton'
  return made
}

/** Toggles the preview of the button's field. */
export async function preview(button: HTMLElement): Promise<void> {
  const holder = button.closest('[data-markup]')!
  const shown = holder.querySelector<HTMLElement>('.markup')!
  const open = !shown.hidden
  button.setAttribute('aria-expanded', String(!open))
  button.textContent = open ? 'Preview' : 'Close preview'
  shown.hidden = open
  if (open) return
  // A skeleton as tall as a short text, so that nothing jumps.
  shown.replaceChildren(bar(), bar(), bar())
  const response = await fetch('/preview', { method: 'POST', body: holder.querySelector('textarea')!.value }).catch(
    () => undefined,
  )
  // The server has sanitized this HTML (lib/server/markdown.ts).
  const made = response?.ok ? await documentIn(response, 'part') : undefined
  if (made) shown.replaceChildren(...made.body.childNodes)
  else shown.textContent = 'The preview could not be loaded. Try again.'
}
