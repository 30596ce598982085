// The editor around a Markdown field: buttons, keys, and what is over the limit. Loaded when the field or its bar gets the focus; without
// script the field is a plain text area. Changes go through the browser, so that it can undo them.
import { apply, type Field } from './typing.ts'
import { asked, type Change, code, type LineMark, lines, link, nextItem, type Selected, wrap } from './writing.ts'

const selectedIn = ({ value, selectionStart, selectionEnd }: Field): Selected => ({
  ...{ value, start: selectionStart, end: selectionEnd },
})

const line =
  (mark: LineMark) =>
  (selected: Selected): Change =>
    lines(selected, mark)

const acts: Readonly<Record<string, (selected: Selected) => Change>> = {
  bold: (selected) => wrap(selected, '**'),
  italic: (selected) => wrap(selected, '_'),
  strike: (selected) => wrap(selected, '~~'),
  code,
  link: (selected) => link(selected),
  ...{ list: line('list'), numbered: line('numbered'), task: line('task'), quote: line('quote') },
  heading: line('heading'),
}

/** Keys with Ctrl or Cmd, by their place on the keyboard where they are signs. */
const keys: Readonly<Record<string, string>> = {
  ...{ KeyB: 'bold', KeyI: 'italic', KeyE: 'code', KeyK: 'link' },
  ...{ 'shift Period': 'quote', 'shift Digit8': 'list', 'shift Digit7': 'numbered', 'shift Digit9': 'task' },
}

const fieldOf = (editor: Element): Field => editor.querySelector('textarea')!

/** What a button of the bar does. */
export function press(button: HTMLElement): void {
  const editor = button.closest('[data-editor]')!
  const name = button.dataset.write ?? ''
  if (name === 'picture') editor.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  const field = fieldOf(editor)
  const act = acts[name]
  if (act) apply(field, act(selectedIn(field)))
}

function typed(event: KeyboardEvent): void {
  const { target: field, ctrlKey, metaKey, shiftKey, altKey, key, isComposing } = event
  if (!(field instanceof HTMLTextAreaElement) || isComposing || event.defaultPrevented) return
  if ((ctrlKey || metaKey) && !altKey) {
    if (key === 'Enter') {
      event.preventDefault()
      field.form?.requestSubmit(mainButton(field.form))
      return
    }
    // Letters by what they are, signs by where they are: keyboards differ.
    const letter = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : event.code
    const act = acts[keys[(shiftKey ? 'shift ' : '') + letter] ?? '']
    if (!act) return
    event.preventDefault()
    apply(field, act(selectedIn(field)))
    return
  }
  if (key !== 'Enter' || shiftKey || altKey) return
  const change = nextItem(selectedIn(field))
  if (!change) return
  event.preventDefault()
  apply(field, change)
}

/** The button that sends the form: the first that does not lead elsewhere. */
const mainButton = (form: HTMLFormElement) => form.querySelector<HTMLButtonElement>('button.accent:not([formaction])')

/** Arrows move within the bar, which is one stop for Tab. */
function move(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement
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

/** Shows in the text what is over the limit: a copy of it behind the field, with a mark. */
export function markLong(field: Field): void {
  const limit = Number(field.dataset.max)
  const holder = field.parentElement!
  const old = holder.querySelector<HTMLElement>('.over-long')
  const isLong = field.value.length > limit
  field.classList.toggle('long', isLong)
  if (!isLong) {
    old?.remove()
    return
  }
  const copy = old ?? document.createElement('div')
  const mark = document.createElement('mark')
  mark.textContent = `${field.value.slice(limit)}\n`
  copy.replaceChildren(field.value.slice(0, limit), mark)
  if (!old) {
    copy.classList.add('over-long', 'input')
    copy.setAttribute('aria-hidden', 'true')
    holder.append(copy)
    field.addEventListener('scroll', () => {
      copy.scrollTop = field.scrollTop
    })
  }
  copy.style.blockSize = `${field.offsetHeight}px`
  copy.scrollTop = field.scrollTop
}

/** Pictures that are pasted or dropped, and an address that is pasted over words. */
function taken(event: ClipboardEvent | DragEvent): void {
  const field = event.target
  const data = event instanceof DragEvent ? event.dataTransfer : event.clipboardData
  if (!(field instanceof HTMLTextAreaElement) || !data) return
  const pictures = [...data.files].filter(({ type }) => type.startsWith('image/'))
  const editor = field.closest<HTMLElement>('[data-editor]')
  if (pictures.length > 0 && editor?.querySelector('input[type="file"]')) {
    event.preventDefault()
    return void import('./pictures.ts').then(({ send }) => send(field, pictures))
  }
  const text = data.getData('text/plain').trim()
  const selected = selectedIn(field)
  const words = selected.value.slice(selected.start, selected.end)
  if (event.type !== 'paste' || words === '' || /\n|^https?:/.test(words) || !/^https?:\/\/\S+$/.test(text)) return
  event.preventDefault()
  apply(field, link(selected, text))
}

const ready = new WeakSet<Element>()

/** Makes a field an editor, once. */
export function open(editor: HTMLElement): void {
  if (ready.has(editor)) return
  ready.add(editor)
  const field = fieldOf(editor)
  editor.querySelector<HTMLElement>('[role="toolbar"]')?.addEventListener('keydown', move)
  field.addEventListener('keydown', typed)
  field.addEventListener('paste', taken)
  field.addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault())
  field.addEventListener('drop', taken)
  field.addEventListener('input', () => {
    if (field.dataset.max) markLong(field)
    if (asked(selectedIn(field)) || field.hasAttribute('aria-activedescendant'))
      import('./suggest.ts').then(({ suggest }) => suggest(field))
  })
  const chooser = editor.querySelector<HTMLInputElement>('input[type="file"]')
  chooser?.addEventListener('change', () => {
    const pictures = [...(chooser.files ?? [])]
    chooser.value = ''
    import('./pictures.ts').then(({ send }) => send(field, pictures))
  })
  if (field.dataset.max) markLong(field)
}
