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

/** Keys of the field of an editor. */
export function typed(event: KeyboardEvent): void {
  const { target: field, ctrlKey, metaKey, shiftKey, altKey, key, isComposing } = event
  if (!(field instanceof HTMLTextAreaElement) || isComposing) return
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
  field.addEventListener('keydown', (event) => event.defaultPrevented || typed(event))
  field.addEventListener('paste', taken)
  field.addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault())
  field.addEventListener('drop', taken)
  const look = () => {
    if (field.dataset.max) markLong(field)
    if (asked(selectedIn(field)) || field.hasAttribute('aria-activedescendant'))
      import('./suggest.ts').then(({ suggest }) => suggest(field))
  }
  field.addEventListener('input', look)
  const chooser = editor.querySelector<HTMLInputElement>('input[type="file"]')
  chooser?.addEventListener('change', () => {
    const pictures = [...(chooser.files ?? [])]
    chooser.value = ''
    import('./pictures.ts').then(({ send }) => send(field, pictures))
  })
  // A name that was begun before the editor came has its suggestions now.
  if (document.activeElement === field) look()
  else if (field.dataset.max) markLong(field)
}
