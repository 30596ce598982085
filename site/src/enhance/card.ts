// A card about a member, beside the link to their profile that the pointer or the focus rests on. The link works without it, and Escape
// closes it.
import { madeFace, sizedFace } from '../lib/ui/faces.ts'
import { locale, word } from './words.ts'

interface Member {
  username: string
  name: string | null
  avatarUrl: string | null
  role: 'member' | 'moderator' | 'admin'
  tagline: string | null
  createdAt: string
  contributions: number
}

const known = new Map<string, Promise<Member | undefined>>()
const SPACE = 8
const HELD = ':hover, :focus-visible'
const ID = 'member-card'

async function load(username: string): Promise<Member | undefined> {
  const response = await fetch(`/api/community/members/cards?usernames=${encodeURIComponent(username)}`)
  return response.ok ? (await response.json()).items[0] : undefined
}

function line(text: string, name: 'b' | 'p' = 'p', look = 'quiet'): HTMLElement {
  const element = document.createElement(name)
  element.className = look
  element.textContent = text
  return element
}

/** As pages write it (src/language/words.ts). */
const dayOf = (at: string) =>
  new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

function cardOf({ username, name, avatarUrl, role, tagline, createdAt, contributions }: Member): HTMLElement {
  const card = document.createElement('div')
  card.className = 'hover-card'
  card.id = ID
  card.setAttribute('role', 'tooltip')
  const face = document.createElement('img')
  face.classList.add('avatar', 'of-48')
  face.width = 48
  face.height = 48
  face.alt = ''
  face.src = avatarUrl ? sizedFace(avatarUrl, 48) : madeFace(username)
  const words = document.createElement('div')
  words.append(
    line(name ?? username, 'b', 'cut'),
    line(role === 'member' ? `@${username}` : word(`page.role.${role}`, { name: `@${username}` })),
  )
  if (tagline) words.append(line(tagline, 'p', ''))
  words.append(line(word('page.contributions', { count: contributions, day: dayOf(createdAt) })))
  card.append(face, words)
  return card
}

export function close(): void {
  document.querySelector('.hover-card')?.remove()
}

/** Shows the card of the member whose profile `link` leads to, while the link has the pointer or the focus, or the card the pointer. */
export async function show(link: HTMLAnchorElement): Promise<void> {
  const username = link.pathname.split('/').at(-1) ?? ''
  if (!known.has(username))
    known.set(
      username,
      load(username).catch(() => undefined),
    )
  const member = await known.get(username)
  if (!member || !link.matches(HELD)) return
  close()
  const card = cardOf(member)
  document.body.append(card)
  link.setAttribute('aria-describedby', ID)
  const place = link.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const below = place.bottom + height + SPACE < innerHeight
  card.style.left = `${Math.max(SPACE, Math.min(place.left, innerWidth - width - SPACE)) + scrollX}px`
  card.style.top = `${(below ? place.bottom : place.top - height) + scrollY}px`
  const leave = () => setTimeout(() => card.matches(':hover') || link.matches(HELD) || card.remove(), 120)
  link.addEventListener('pointerleave', leave, { once: true })
  link.addEventListener('blur', leave, { once: true })
  card.addEventListener('pointerleave', leave)
}
