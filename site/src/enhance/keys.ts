// Keyboard shortcuts (lib/keys.ts): off in fields and dialogs, and wherever the reader turned them off. Ctrl+K opens the palette.
import { isKey, KEYS_OFF, placeOf } from '../lib/keys.ts'

const BETWEEN_MILLISECONDS = 1_500
/** When `g` was pressed. */
let goneAt = Number.NEGATIVE_INFINITY

/** Whether keys without Ctrl are off in this browser; storage may be refused. */
function areOff(): boolean {
  try {
    return localStorage.getItem(KEYS_OFF) !== null
  } catch {
    return false
  }
}

/** The links of the rows of this page, one of each. */
const rows = (): HTMLAnchorElement[] =>
  [...document.querySelectorAll('main :is(.entries, .tiles) > li')].flatMap(
    (row) => row.querySelector<HTMLAnchorElement>(':is(h2, h3) a, .meta a[href*="comment"], a') ?? [],
  )

/** Moves the focus to the row after or before the one that has it. */
function move(by: 1 | -1): void {
  const links = rows()
  const focused = document.activeElement?.closest('main :is(.entries, .tiles) > li')
  const at = links.findIndex((link) => focused?.contains(link))
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by]
  next?.focus()
  next?.closest('li')?.scrollIntoView({ block: 'nearest' })
}

function search(): void {
  const field = [...document.querySelectorAll<HTMLInputElement>('#q, #find')].find((one) => one.checkVisibility())
  if (field) field.focus()
  else location.assign('/search')
}

const acts = {
  j: () => move(1),
  k: () => move(-1),
  o: () => {
    const link = document.activeElement
    if (link instanceof HTMLAnchorElement && link.closest('main')) link.click()
  },
  x: () => void import('./many.ts').then(({ pickFocused }) => pickFocused()),
  r: () => void import('./reply.ts').then(({ quoteSelection }) => quoteSelection()),
  '/': search,
  '?': () => location.assign('/keys'),
}

/** What was typed for the palette while it loads. */
let early: string | undefined

/** Opens the palette, or closes it. Keys that are pressed before it is there are its first words. */
export function togglePalette(): void {
  early = ''
  import('./palette.ts')
    .then(({ toggle }) => toggle(early))
    .finally(() => {
      early = undefined
    })
}

export function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  // The editor took it, for which Ctrl+K is a link.
  if (event.defaultPrevented) return
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    togglePalette()
    return
  }
  if (early !== undefined && key.length === 1 && !ctrlKey && !metaKey) {
    event.preventDefault()
    early += key
    return
  }
  const typing =
    target instanceof Element && target.closest('input:not(.pick), textarea, select, [contenteditable], dialog')
  if (ctrlKey || metaKey || altKey || typing || areOff()) return
  const place = performance.now() - goneAt < BETWEEN_MILLISECONDS ? placeOf(key) : undefined
  goneAt = key === 'g' && !place ? performance.now() : Number.NEGATIVE_INFINITY
  if (place) location.assign(place)
  else if (isKey(key)) {
    event.preventDefault()
    acts[key]()
  }
}

/** The button that turns the keys off, or on again. */
export function turn(button: HTMLElement): void {
  try {
    if (areOff()) localStorage.removeItem(KEYS_OFF)
    else localStorage.setItem(KEYS_OFF, '')
  } catch {
    // Storage is refused: the keys stay as they are.
  }
  tell(button)
}

export function tell(button: HTMLElement): void {
  button.setAttribute('aria-pressed', String(areOff()))
}
