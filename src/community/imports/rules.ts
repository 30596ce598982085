// What is decided about imports without touching the world: the order of records, their ids, and what becomes of names, texts and states.
import { beginningOf } from '../../contract/storable.ts'
import type { ImportedState, StagedRecord } from '../../formats/imports/record.ts'
import { usernameIn } from '../../identity/usernames.ts'
import { sha256 } from '../../runtime/hash.ts'

/** Pictures that an import asks for or takes of its files, and bytes that it stores of them: what is beyond keeps its link. */
export const MAX_PICTURES = 2_000
export const MAX_PICTURE_BYTES = 512 * 1024 * 1024
export const MAX_BYTES_OF_PICTURE = 10 * 1024 * 1024

/** The order in which kinds of records are written. People and labels are written when something names them. */
export const ranks = { person: '0', label: '1', thing: '2', comment: '3', vote: '4' } as const

/** UTC with milliseconds, within the years that ids and pages can say. */
export function momentIn(text: string, now: string): string {
  const time = Date.parse(text)
  const earliest = Date.parse('1980-01-01T00:00:00Z')
  return new Date(Math.min(Math.max(time, earliest), Date.parse(now))).toISOString()
}

/** Where a record is in the order of an import: by its kind, its time and its id, not as the files have it. */
export function sortKeyOf(record: StagedRecord, now: string): string {
  const rank = ranks[record.type]
  switch (record.type) {
    case 'person':
      return `${rank} ${record.id}`
    case 'label':
      return `${rank} ${record.name.toLowerCase()}`
    case 'vote':
      return `${rank} ${record.thing} ${record.person}`
    case 'thing':
      return `${rank} ${momentIn(record.createdAt, now)} ${record.id}`
    case 'comment':
      // An answer of the same moment comes after what it answers.
      return `${rank} ${momentIn(record.createdAt, now)} ${record.parent === undefined ? 0 : 1} ${record.id}`
  }
}

/** A UUID of version 7 of a time and the name of something: the same in each run. */
export function importedId(moment: string, ...name: string[]): string {
  const hash = Buffer.from(sha256(JSON.stringify(name)), 'base64url').toString('hex')
  const time = Date.parse(moment).toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash[3] ?? '0', 16) & 3) | 8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/** At most so many characters, and whole ones; what is cut ends with '…'. */
export function cutText(text: string, most: number): { text: string; isCut: boolean } {
  if (text.length <= most) return { text, isCut: false }
  return { text: `${beginningOf(text, most - 1)}…`, isCut: true }
}

const MIN_USERNAME = 3
export const MAX_USERNAME = 24

/** A username that is valid here, for a name of a source: its letters, digits, `_` and `-`. */
export function usernameFrom(name: string, source: string): string {
  const plain = usernameIn(name, MAX_USERNAME)
  return plain.length >= MIN_USERNAME ? plain : `${source}-${plain || 'user'}`
}

/** The same with a number behind it, from the second on. */
export const numbered = (username: string, times: number): string =>
  times < 2 ? username : `${username.slice(0, MAX_USERNAME - 1 - String(times).length)}-${times}`

/** The status that a state of a source becomes, by the kind of the thing; a post has none. */
const statuses = {
  bug: { open: 'open', planned: 'open', in_progress: 'in_progress', done: 'resolved', declined: 'wontfix' },
  feature: { open: 'open', planned: 'planned', in_progress: 'planned', done: 'shipped', declined: 'declined' },
} as const satisfies Record<string, Record<ImportedState, string>>

export const statusOf = <Kind extends keyof typeof statuses>(kind: Kind, state: ImportedState) => statuses[kind][state]

const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
const NUMBER = /(?<![\w&#/[])#(\d{1,9})\b/g
const ADDRESS = /https?:\/\/[^\s<>()[\]"'`]+/g

const LONGEST_ADDRESS = 2_000

/** An address in a text, without the marks that end the sentence; undefined where it is longer than any that is stored. */
function addressIn(text: string): string | undefined {
  let end = text.length
  while (end > 0 && '.,;:!?'.includes(text[end - 1] ?? ' ')) end--
  return end > LONGEST_ADDRESS ? undefined : text.slice(0, end)
}

/** Where numbers and addresses of a source lead: undefined for what did not come along. */
export interface Leads {
  number(number: number): { number: number } | undefined
  /** The address there of a number that did not come along, if the source has such addresses. */
  addressOf(number: number): string | undefined
  url(url: string): { number: number; path: string } | undefined
}

/** A text whose references lead to what was imported: not in code, and no number leads to another thing here. */
export function withReferences(text: string, leads: Leads): string {
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : withoutCode(part, leads)))
    .join('')
}

function withoutCode(text: string, leads: Leads): string {
  const linked = text.replace(ADDRESS, (url, at: number) => {
    const clean = addressIn(url)
    const found = clean === undefined ? undefined : leads.url(clean)
    if (clean === undefined || !found) return url
    const isTarget = text.slice(Math.max(0, at - 2), at) === ']('
    return (isTarget ? found.path : `\u0000${found.number}`) + url.slice(clean.length)
  })
  return linked
    .replace(NUMBER, (said, digits: string) => {
      const number = Number(digits)
      const found = leads.number(number)
      if (found) return `#${found.number}`
      const address = leads.addressOf(number)
      return address === undefined ? `No. ${digits}` : `[${said}](${address})`
    })
    .replaceAll('\u0000', '#')
}

/** The numbers and addresses that a text mentions. */
export function mentionsIn(text: string): { numbers: number[]; urls: string[] } {
  const plain = text
    .split(CODE)
    .filter((_, at) => at % 2 === 0)
    .join(' ')
  const numbers = [...plain.matchAll(NUMBER)].map(([, digits]) => Number(digits))
  const urls = [...plain.matchAll(ADDRESS)].flatMap(([url]) => addressIn(url) ?? [])
  return { numbers: [...new Set(numbers)], urls: [...new Set(urls)] }
}
