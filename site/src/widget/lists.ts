// What the frame shows of the community: ideas with their votes, what is new, and what is there already while a title is typed.
import { locale, word } from '../enhance/words.ts'
import { call, isKnown, whyOf } from './calls.ts'

interface Thing {
  id: string
  title: string
  url: string
  score: number
  myVote: number
  version: string
  date: string
}

const PAUSE_MILLISECONDS = 300
const SHORTEST = 4

const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, text = '', look = '') => {
  const made = document.createElement(name)
  made.textContent = text
  if (look) made.className = look
  return made
}

/** A link to the page of a thing, in a window of its own. */
function linkTo({ title, url }: Pick<Thing, 'title' | 'url'>): HTMLAnchorElement {
  const link = element('a', title)
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener'
  return link
}

type Say = (sentence: string) => void

function voteButton(thing: Thing, say: Say): HTMLButtonElement {
  const button = element('button', '', ['button', 'small'].join(' '))
  button.type = 'button'
  const show = () => {
    button.textContent = `▲ ${thing.score.toLocaleString(locale)}`
    button.ariaPressed = String(thing.myVote === 1)
    button.ariaLabel = word('widget.voteFor', { title: thing.title, score: thing.score })
  }
  button.addEventListener('click', async () => {
    const value = thing.myVote === 1 ? 0 : 1
    button.disabled = true
    const answer = await call('POST', `community/features/${thing.id}/vote`, { body: { value } })
    button.disabled = false
    button.focus()
    if (!answer.ok) return say(await whyOf(answer))
    thing.score = Number(answer.body['score'])
    thing.myVote = value
    show()
  })
  show()
  return button
}

function idea(thing: Thing, say: Say): HTMLLIElement {
  const row = element('li', '', 'row')
  row.append(
    isKnown() ? voteButton(thing, say) : element('span', `▲ ${thing.score.toLocaleString(locale)}`),
    linkTo(thing),
  )
  return row
}

function release({ date, version, ...thing }: Thing): HTMLLIElement {
  const row = element('li', '', ['stack', 'tight'].join(' '))
  const day = new Date(date).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  row.append(linkTo(thing), element('span', [version, day].filter(Boolean).join(' · '), 'quiet'))
  return row
}

const sources = {
  ideas: { path: 'community/features?sort=popular&status=open&per_page=20', row: idea },
  news: { path: 'community/changelog?per_page=10', row: release },
} as const

/** Reads both lists again, for who is there now. */
export async function showLists(say: Say): Promise<void> {
  for (const [name, { path, row }] of Object.entries(sources)) {
    const list = document.querySelector<HTMLElement>(`[data-list="${name}"]`)
    if (!list) continue
    const answer = await call('GET', path)
    const items = answer.ok ? (answer.body['items'] as Thing[]) : []
    const empty = answer.ok
      ? word('widget.nothing')
      : answer.status === 401
        ? word('widget.membersOnly')
        : await whyOf(answer)
    list.replaceChildren(...(items.length > 0 ? items.map((item) => row(item, say)) : [element('li', empty, 'quiet')]))
  }
}

/** Shows what has a similar title, once the field has not changed for a moment. */
export function watchTitle(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-similar]')!
  const field = form.querySelector<HTMLInputElement>('[name=title]')!
  let waiting: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const title = field.value.trim()
    const query = new URLSearchParams({ title, type: place.dataset['similar'] ?? '' })
    const found = title.length < SHORTEST ? undefined : await call('GET', `search/similar?${query}`)
    if (title !== field.value.trim()) return
    const items = found?.ok ? (found.body['items'] as Thing[]) : []
    place.hidden = items.length === 0
    const rows = items.map((item) => {
      const row = element('li')
      row.append(linkTo(item))
      return row
    })
    place.querySelector('ul')!.replaceChildren(...rows)
  }
  field.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), PAUSE_MILLISECONDS)
  })
}
