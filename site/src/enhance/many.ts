// Selecting rows for what is done with several (lib/features/many): with Shift from the row before to this one, by the key x, and none by Escape.

const picks = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('input.pick')]

/** The row that was selected or left out last. */
let last: HTMLInputElement | undefined

function tell(): void {
  const count = document.querySelector('[data-many-count]')
  const chosen = picks().filter(({ checked }) => checked).length
  if (count) count.textContent = chosen > 0 ? String(chosen) : ''
}

/** A box that was pressed; with Shift all boxes from the last one to it become as it is. */
export function picked(box: HTMLInputElement, isRange: boolean): void {
  const all = picks()
  const [from, to] = [last ? all.indexOf(last) : -1, all.indexOf(box)].toSorted((one, other) => one - other)
  if (isRange && from !== undefined && from >= 0) {
    for (const one of all.slice(from, (to ?? from) + 1)) one.checked = box.checked
  }
  last = box
  tell()
}

/** Selects the row that has the focus, or leaves it out. */
export function pickFocused(): void {
  const box = document.activeElement?.closest('main .entries > li')?.querySelector<HTMLInputElement>('input.pick')
  if (!box) return
  box.checked = !box.checked
  picked(box, false)
}

export function pickNone(): void {
  for (const box of picks()) box.checked = false
  last = undefined
  tell()
}
