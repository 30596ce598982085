// Shows what exists already while a title is typed. Without script the form asks once, when it is sent (lib/server/similar.ts).
import type { SimilarThing } from '../lib/server/similar.ts'
import { word } from './words.ts'

/** After the last key. */
const PAUSE_MILLISECONDS = 300
const SHORTEST = 4

let waiting: ReturnType<typeof setTimeout> | undefined
let asked = ''

/** Looks for similar things, once the field has not changed for a moment. */
export function lookFor(field: HTMLInputElement): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => look(field), PAUSE_MILLISECONDS)
}

async function look(field: HTMLInputElement): Promise<void> {
  const title = field.value.trim()
  const list = field.form?.querySelector<HTMLElement>('[data-similar-things]')
  if (!list || title === asked) return
  asked = title
  const query = new URLSearchParams({ title, type: field.dataset.similar ?? '' })
  const response =
    title.length < SHORTEST ? undefined : await fetch(`/api/search/similar?${query}`).catch(() => undefined)
  const items: SimilarThing[] = response?.ok ? (await response.json()).items : []
  // An answer may come after that to a later title.
  if (title === asked) show(list, items)
}

function show(list: HTMLElement, items: readonly SimilarThing[]): void {
  list.hidden = items.length === 0
  // Who has seen them is not asked again.
  list.querySelector<HTMLInputElement>('[name="anyway"]')!.value = items.length > 0 ? 'true' : ''
  list.querySelector('ul')!.replaceChildren(...items.map((item) => row(item, list.dataset.byMachine)))
}

function row(
  { title, url, number, score, commentCount, foundBy }: SimilarThing,
  byMachine: string | undefined,
): HTMLElement {
  const [line, link, facts] = [
    document.createElement('li'),
    document.createElement('a'),
    document.createElement('span'),
  ]
  link.href = url
  link.textContent = title
  facts.className = 'quiet'
  facts.textContent = ` ${word('page.similar', { number: `#${number}`, score, count: commentCount })}`
  line.append(link, facts)
  if (foundBy && byMachine) {
    const mark = document.createElement('span')
    mark.className = 'quiet'
    mark.textContent = ` · ${byMachine}`
    line.append(mark)
  }
  return line
}
