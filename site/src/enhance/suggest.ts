// Suggestions while a name, a number or words are typed after `@` or `#`: people, those of the page first; bugs, requests and posts; items
// of the library, as links. The focus stays in the field, whose active descendant is the marked choice; arrows, Enter and a tap choose. A
// text area may not have the role of a combobox (ARIA in HTML), so how many choices there are is announced.
import { announce } from './say.ts'
import { apply } from './typing.ts'
import { asked } from './writing.ts'

interface Choice {
  /** What is inserted. */
  text: string
  label: string
  about: string
}

const WAIT_MILLISECONDS = 150
const MAX_CHOICES = 8

interface Suggestions {
  members: { username: string; name: string | null }[]
  things: { number: number; title: string }[]
  items: { name: string; url: string; kind: string }[]
}

/** The members that this page shows, in its order. */
function peopleHere(words: string): Choice[] {
  const names = [...document.querySelectorAll<HTMLAnchorElement>('main a.by')].map(({ pathname }) =>
    pathname.slice(pathname.lastIndexOf('/') + 1),
  )
  const fitting = [...new Set(names)].filter((name) => name.toLowerCase().startsWith(words.toLowerCase()))
  return fitting.map((name) => ({ text: `@${name}`, label: `@${name}`, about: '' }))
}

async function find(sign: string, words: string, signal: AbortSignal): Promise<Choice[]> {
  const response = await fetch(`/api/search/suggest?${new URLSearchParams({ sign, q: words })}`, { signal })
  if (!response.ok) return []
  const { members, things, items }: Suggestions = await response.json()
  return [
    ...members.map(({ username, name }) => ({ text: `@${username}`, label: `@${username}`, about: name ?? '' })),
    ...things.map(({ number, title }) => ({ text: `#${number}`, label: title, about: `#${number}` })),
    ...items.map(({ name, url, kind }) => ({
      ...{ text: `[${name.replace(/[[\]\\]/g, '\\$&')}](${url})`, label: name, about: kind },
    })),
  ]
}

let waiting: AbortController | undefined

/** Asks for what fits the word before the caret, or closes the list where there is none. */
export async function suggest(field: HTMLTextAreaElement): Promise<void> {
  waiting?.abort()
  const { value, selectionStart: start, selectionEnd: end } = field
  const word = asked({ value, start, end })
  if (!word) return close(field)
  waiting = new AbortController()
  const { signal } = waiting
  const here = word.sign === '@' ? peopleHere(word.words) : []
  if (here.length > 0) show(field, here.slice(0, MAX_CHOICES))
  await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS))
  if (signal.aborted) return
  const found = await find(word.sign, word.words, signal).catch(() => [])
  if (signal.aborted || document.activeElement !== field) return
  const known = new Map([...here, ...found].map((choice) => [choice.text, choice]))
  for (const choice of found) if (known.get(choice.text)?.about === '') known.set(choice.text, choice)
  const choices = [...known.values()].slice(0, MAX_CHOICES)
  if (choices.length > 0) show(field, choices)
  else close(field)
}

const lists = new WeakMap<HTMLTextAreaElement, HTMLElement>()
const listOf = (field: HTMLTextAreaElement) => lists.get(field)
const marked = (list: HTMLElement | undefined) => list?.querySelector<HTMLElement>('[aria-selected="true"]')

function mark(field: HTMLTextAreaElement, option: Element | null | undefined): void {
  if (!option) return
  for (const one of option.parentElement!.children) one.setAttribute('aria-selected', String(one === option))
  field.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

function show(field: HTMLTextAreaElement, choices: readonly Choice[]): void {
  const list = listOf(field) ?? build(field)
  list.replaceChildren(
    ...choices.map(({ text, label, about }, index) => {
      const option = document.createElement('li')
      option.id = `${list.id}-${index}`
      option.setAttribute('role', 'option')
      option.dataset.text = text
      const tag = document.createElement('span')
      tag.className = 'quiet'
      tag.textContent = about
      option.append(label, tag)
      return option
    }),
  )
  if (list.hidden) announce(`${list.getAttribute('aria-label')}: ${choices.length}`)
  list.hidden = false
  mark(field, list.firstElementChild)
}

function build(field: HTMLTextAreaElement): HTMLElement {
  const list = document.createElement('ul')
  list.id = `${field.id}-suggestions`
  list.className = 'suggestions'
  list.hidden = true
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', field.closest<HTMLElement>('[data-editor]')?.dataset.suggestions ?? '')
  field.parentElement!.append(list)
  lists.set(field, list)
  field.setAttribute('aria-haspopup', 'listbox')
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  // Before those of the editor, for which Enter and Tab mean something else.
  field.addEventListener('keydown', press, true)
  field.addEventListener('blur', () => close(field))
  // A press would take the focus away before the choice.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => choose(field, (target as Element).closest('li')))
  return list
}

function press(event: KeyboardEvent): void {
  const field = event.currentTarget as HTMLTextAreaElement
  const list = listOf(field)
  if (!list || list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  const at = marked(list)
  if (event.key === 'ArrowDown') mark(field, at?.nextElementSibling ?? list.firstElementChild)
  else if (event.key === 'ArrowUp') mark(field, at?.previousElementSibling ?? list.lastElementChild)
  else if (event.key === 'Escape') close(field)
  else if (event.key === 'Enter' && !event.shiftKey) choose(field, at)
  else return
  event.preventDefault()
  event.stopPropagation()
}

function choose(field: HTMLTextAreaElement, option: HTMLElement | null | undefined): void {
  const { value, selectionStart: to, selectionEnd: end } = field
  const word = asked({ value, start: to, end })
  if (!option || !word) return
  const text = `${option.dataset.text} `
  close(field)
  apply(field, { from: word.from, to, text, start: word.from + text.length, end: word.from + text.length })
}

function close(field: HTMLTextAreaElement): void {
  const list = listOf(field)
  if (!list || list.hidden) return
  list.hidden = true
  field.removeAttribute('aria-activedescendant')
}
