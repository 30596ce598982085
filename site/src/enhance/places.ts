// What was left on the pages of this tab, by their places in its history: how far down one was, and what was typed and not sent.

interface Typed {
  /** Which field of the page, and its name, to be sure of it. */
  at: number
  name: string
  value: string
  checked: boolean
}

interface Left {
  scrollY: number
  typed: Typed[]
}

const left = new Map<number, Left>()
let here = placeIn(history.state)

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Fields in which something is written for others; what is secret, hidden or a file is not remembered. */
const fields = () =>
  [...document.querySelectorAll<Field>('main form[method="post"] :is(input, textarea, select)')].filter(
    ({ type, name }) => !/^(password|hidden|file)$/.test(type) && name !== 'code',
  )

const isChanged = (field: Field) =>
  field instanceof HTMLSelectElement
    ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : field.value !== field.defaultValue ||
      (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked

/** Remembers the page as it is left; `sent` is one whose form has just been taken. */
function remember({ sent = false } = {}): void {
  const typed = sent
    ? []
    : fields().flatMap((field, at) =>
        isChanged(field)
          ? [{ at, name: field.name, value: field.value, checked: (field as HTMLInputElement).checked }]
          : [],
      )
  left.set(here, { scrollY, typed })
}

/** The next page takes a new place. */
export function goOn(url: URL, how: { sent: boolean }): void {
  remember(how)
  history.replaceState({ place: here, scrollY }, '')
  here = Date.now()
  history.pushState({ place: here }, '', url)
}

/** The browser has gone back or forth to another place. */
export function goBack(state: unknown): void {
  remember()
  here = placeIn(state)
}

/** Puts the page, which is there again, as it was left. */
export function restore(): void {
  const before = left.get(here)
  const all = fields()
  for (const { at, name, value, checked } of before?.typed ?? []) {
    const field = all[at]
    if (field?.name !== name) continue
    field.value = value
    if (field instanceof HTMLInputElement) field.checked = checked
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  scrollTo(0, before?.scrollY ?? (history.state as { scrollY?: number } | null)?.scrollY ?? 0)
}

function placeIn(state: unknown): number {
  return (state as { place?: number } | null)?.place ?? Date.now()
}
