// Keys of the editor that are pressed while it loads, and those of a toolbar, which is one stop for Tab (ARIA Authoring Practices, Toolbar).
// Part of the script of every page: the keys would be lost.

/** Moves the focus within the toolbar by arrows, Home and End. */
export function moveInToolbar(event: KeyboardEvent): void {
  const bar = (event.target as Element).closest<HTMLElement>('[role="toolbar"]')
  if (!bar) return
  const buttons = [...bar.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(event.target as HTMLElement)
  const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
  const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  const next = buttons.at(to % buttons.length)
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next?.focus()
}

/** Those with Ctrl or Cmd that would do something else without the editor, or nothing (editor.ts). */
const EDITOR_KEYS = /^([biek]|enter)$/i

/** Does what a key asks of an editor that is still loading. Where it has loaded it took the key already. */
export function pressEarly(event: KeyboardEvent): void {
  const { target, ctrlKey, metaKey, altKey, key, defaultPrevented } = event
  if (defaultPrevented || altKey || !(ctrlKey || metaKey) || !EDITOR_KEYS.test(key)) return
  const editor = (target as Element).closest<HTMLElement>('[data-editor]')
  if (!editor || !(target instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  import('./editor.ts').then(({ open, typed }) => {
    open(editor)
    typed(event)
  })
}
