// Shows errors in a form as the server does (lib/ui/Field.svelte, Form.svelte).
import { icons } from '../lib/ui/icons.ts'

export interface Fault {
  message: string
  /** The name of the field; without it the error is on top of the form. */
  field?: string
}

/** Removes the errors that are shown. */
export function clearFaults(form: HTMLElement): void {
  for (const said of form.querySelectorAll('[data-fault], .error')) said.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    const described = field.getAttribute('aria-describedby')?.replace(/\s*\S+-error$/, '')
    if (described) field.setAttribute('aria-describedby', described)
    else field.removeAttribute('aria-describedby')
  }
}

/** Shows an error beside its field and focuses the field. */
export function fault(form: HTMLElement, { message, field }: Fault): void {
  const input = field ? form.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`) : null
  if (!input) {
    const notice = element('div', 'notice', 'danger')
    notice.setAttribute('role', 'alert')
    notice.dataset.fault = ''
    const words = document.createElement('div')
    words.textContent = message
    notice.append(icon(), words)
    form.prepend(notice)
    return
  }
  const error = element('span', 'error')
  error.id = `${input.id}-error`
  error.append(icon(), message)
  input.closest('.field')?.append(error)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby') ?? ''} ${error.id}`.trim())
  input.focus()
}

function element(name: string, ...classes: string[]): HTMLElement {
  const made = document.createElement(name)
  made.classList.add(...classes)
  return made
}

function icon(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, value] of Object.entries({
    class: 'icon',
    width: '16',
    height: '16',
    viewBox: '0 0 16 16',
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(name, value)
  }
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', icons.critical)
  svg.append(path)
  return svg
}
