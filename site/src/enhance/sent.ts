// A form that was sent in place, and where to look on the page that came of it.

export interface Sent {
  form: HTMLFormElement
  button: HTMLButtonElement | null
}

/** What was refused, what is said about it, what it made (`made`), or the same button again; in this order. */
export function answerTo({ form, button }: Sent, made: HTMLElement | null): HTMLElement | null {
  const said = document.querySelector<HTMLElement>('main [aria-invalid="true"], main [autofocus]') ?? made
  if (said) return said
  const same = [...document.forms].find((one) => marksOf(one) === marksOf(form))
  const buttons = [...(same?.querySelectorAll('button') ?? [])]
  return buttons.find((one) => one.value === button?.value && nameOf(one) === nameOf(button)) ?? around(form)
}

/** What a button is called. */
export const nameOf = (button: HTMLButtonElement | null): string =>
  (button?.getAttribute('aria-label') ?? button?.textContent ?? '').trim()

/** What tells a form from the others of its page. */
function marksOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('[type="hidden"]')].map(({ name, value }) => [name, value])
  return JSON.stringify([form.getAttribute('action'), hidden])
}

/** What the form stood in, as far as it is still there: it may have removed what was nearest. */
function around(form: HTMLFormElement): HTMLElement | null {
  for (let outer = form.parentElement; outer; outer = outer.parentElement) {
    const still = outer.id && document.getElementById(outer.id)
    if (still) return still
  }
  return null
}

/** Puts the focus where it may not be by itself, and brings it into view. */
export function reach(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus()
}
