// The command palette: everywhere that the navigation and the menus of this page lead, and what the search finds. Made when it is first
// opened; a page without script has the search instead.
import type { ScriptWord } from '../lib/language/script-words.ts'
import { word } from './words.ts'

interface Choice {
  text: string
  kind: string
  href: string
}

const WAIT_MILLISECONDS = 150
const MAX_FOUND = 8
const MAX_COMMANDS = 12

/** The links of the navigation and the menus, which are those that this reader may follow. */
function commands(): Choice[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.sections a, .menu-list a')]
  const wordsOf = ({ childNodes }: HTMLAnchorElement) =>
    [...childNodes]
      .map((node) => (node instanceof Text ? node.data : ''))
      .join('')
      .trim()
  return links.map((link) => ({
    text: wordsOf(link),
    kind: word(link.closest('#new') ? 'palette.new' : 'palette.goTo'),
    href: link.getAttribute('href') ?? '/',
  }))
}

interface Hit {
  type: Extract<ScriptWord, `palette.kind.${string}`> extends `palette.kind.${infer Type}` ? Type : never
  title: { text: string }[]
  url: string
}

/** Nothing where the server does not answer: the commands remain. */
async function find(q: string, signal: AbortSignal): Promise<Choice[]> {
  const response = await fetch(`/api/search?q=${encodeURIComponent(q)}&per_page=${MAX_FOUND}`, { signal })
  if (!response.ok) return []
  const { items }: { items: Hit[] } = await response.json()
  return items.map(({ type, title, url }) => ({
    text: title.map(({ text }) => text).join(''),
    kind: word(`palette.kind.${type}`),
    href: url,
  }))
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Readonly<Record<string, string>> = {}) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

interface Parts {
  dialog: HTMLDialogElement
  field: HTMLInputElement
  list: HTMLUListElement
  status: HTMLParagraphElement
}

function partsOf(): Parts {
  const dialog = make('dialog', { class: 'palette', 'aria-label': word('palette.title') })
  const field = make('input', {
    ...{ class: 'input', type: 'text', role: 'combobox', autocomplete: 'off', maxlength: '200' },
    ...{ placeholder: word('palette.field'), 'aria-label': word('palette.field') },
    ...{ 'aria-controls': 'palette-list', 'aria-expanded': 'true' },
  })
  const list = make('ul', { id: 'palette-list', role: 'listbox', 'aria-label': word('palette.list') })
  const status = make('p', { class: 'quiet', role: 'status' })
  dialog.append(field, list, status)
  return { dialog, field, list, status }
}

/** The place of the marked option. */
const markedIn = (list: Element) => [...list.children].findIndex((option) => option.ariaSelected === 'true')

function mark({ field, list }: Parts, to: number): void {
  for (const [index, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(index === to))
  const marked = list.children[to]
  field.setAttribute('aria-activedescendant', marked?.id ?? '')
  marked?.scrollIntoView({ block: 'nearest' })
}

function fill(parts: Parts, choices: readonly Choice[]): void {
  const options = choices.map(({ text, kind, href }, index) => {
    const option = make('li', { role: 'option', id: `palette-${index}`, 'data-href': href })
    const tag = make('span', { class: 'quiet' })
    tag.textContent = kind
    option.append(text, tag)
    return option
  })
  parts.list.replaceChildren(...options)
  const { length } = choices
  parts.status.textContent = length === 0 ? word('palette.none') : word('palette.count', { count: length })
  mark(parts, 0)
}

let asked: AbortController | undefined

/** Lists the commands that fit at once, and what the search finds a moment later. */
async function look(parts: Parts): Promise<void> {
  asked?.abort()
  asked = new AbortController()
  const { signal } = asked
  const q = parts.field.value.trim()
  const fits = ({ text }: Choice) => text.toLowerCase().includes(q.toLowerCase())
  const known = commands().filter(fits).slice(0, MAX_COMMANDS)
  fill(parts, known)
  if (q === '') return
  await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS))
  if (signal.aborted) return
  const found = await find(q, signal).catch(() => [])
  if (signal.aborted) return
  const all = {
    text: word('palette.all', { q }),
    kind: word('palette.search'),
    href: `/search?q=${encodeURIComponent(q)}`,
  }
  fill(parts, [...known, ...found, all])
}

function go({ dialog }: Parts, option: Element | null | undefined): void {
  const href = option instanceof HTMLElement ? option.dataset.href : undefined
  if (href === undefined) return
  dialog.close()
  location.assign(href)
}

function build(): Parts {
  const parts = partsOf()
  const { dialog, field, list } = parts
  field.addEventListener('input', () => look(parts))
  field.addEventListener('keydown', (event) => {
    const at = markedIn(list)
    const last = list.children.length - 1
    if (event.key === 'ArrowDown') mark(parts, at >= last ? 0 : at + 1)
    else if (event.key === 'ArrowUp') mark(parts, at <= 0 ? last : at - 1)
    else if (event.key === 'Enter') go(parts, list.children[at])
    else return
    event.preventDefault()
  })
  list.addEventListener('click', ({ target }) => go(parts, (target as Element).closest('[role="option"]')))
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  return parts
}

let shown: Parts | undefined

/** Opens the palette with these words, or closes it where it is open. */
export function toggle(words = ''): void {
  const wasOpen = shown?.dialog.open
  shown?.dialog.remove()
  shown = undefined
  if (wasOpen) return
  const made = build()
  shown = made
  made.field.value = words
  made.dialog.showModal()
  made.field.focus()
  look(made)
}
