// What sources find, made records: texts that can be kept and are not too long, addresses of the web, times that can be. What cannot be cleaned has a
// reason.
import { oneLine } from '../../contract/storable.ts'
import { cut } from '../text.ts'
import { idOf } from './fields.ts'
import { type GivenRecord, type ImportedState, ImportRecord, MAX_TEXT } from './record.ts'

/** What a source found, with values as they are in its files. */
export type RawRecord =
  | RawPerson
  | { type: 'label'; name: unknown; color?: unknown; description?: unknown }
  | RawThing
  | RawComment
  | { type: 'vote'; thing: unknown; person: unknown; value: 1 | -1; createdAt?: unknown }
  | { type: 'left out'; what: string; count?: number }

interface RawPerson {
  type: 'person'
  id: unknown
  accountId?: unknown
  username: unknown
  name?: unknown
  email?: unknown
  isBot?: boolean
}

export interface RawThing {
  type: 'thing'
  id: unknown
  kind: 'bug' | 'feature' | 'post'
  number?: unknown
  url?: unknown
  author?: unknown
  title: unknown
  text: unknown
  state?: ImportedState
  stateWords?: unknown
  severity?: 'low' | 'medium' | 'high' | 'critical'
  labels?: readonly unknown[]
  createdAt: unknown
  updatedAt?: unknown
  isLocked?: unknown
  isPinned?: unknown
}

export interface RawComment {
  type: 'comment'
  id: unknown
  thing: unknown
  parent?: unknown
  url?: unknown
  author?: unknown
  text: unknown
  createdAt: unknown
  updatedAt?: unknown
  isSolution?: unknown
}

/** A record, with what it lost; or the reason why there is none. */
export type Cleaned = { record: GivenRecord; lost: string[] } | { reason: string }

const LABELS = 200
const NAME = 200
const WORDS_OF: Record<RawRecord['type'], string> = {
  person: 'people',
  label: 'labels',
  thing: 'things',
  comment: 'comments',
  vote: 'votes',
  'left out': 'counts',
}
/** A record is still of use without these. */
const SPARE: ReadonlySet<unknown> = new Set(['email', 'color', 'url', 'number', 'updatedAt', 'name', 'description'])

export function cleaned(found: RawRecord): Cleaned {
  const lost: string[] = []
  const record = Object.fromEntries(
    Object.entries(found).flatMap(([field, value]) => {
      const clean = cleanedField(field, value, lost)
      return clean === undefined ? [] : [[field, clean]]
    }),
  )
  for (let tries = 0; tries < 2; tries++) {
    const parsed = ImportRecord.safeParse(record)
    if (parsed.success) return { record: record as GivenRecord, lost }
    const fields = new Set(parsed.error.issues.map(({ path }) => String(path[0])))
    const wrong = [...fields].filter((field) => !(SPARE.has(field) && !(found.type === 'label' && field === 'name')))
    if (wrong.length > 0) return { reason: `${WORDS_OF[found.type]} whose ${wrong[0]} cannot be read` }
    for (const field of fields) delete record[field]
  }
  return { reason: `${WORDS_OF[found.type]} that cannot be read` }
}

/** A field as a record has it; undefined for none. */
function cleanedField(field: string, value: unknown, lost: string[]): unknown {
  switch (field) {
    case 'text':
    case 'title':
      return cleanedText(value, lost)
    case 'username':
    case 'name':
    case 'stateWords':
      return lineOf(value, NAME)
    case 'description':
      return lineOf(value, 2_000)
    case 'email':
      return lineOf(value, 300)
    case 'color':
      return typeof value === 'string' ? colorOf(value) : undefined
    case 'labels':
      return cleanedLabels(value, lost)
    case 'createdAt':
    case 'updatedAt':
      return momentOf(value)
    case 'id':
    case 'accountId':
    case 'thing':
    case 'person':
    case 'author':
    case 'parent':
      return cleanedId(value)
    case 'isBot':
    case 'isLocked':
    case 'isPinned':
    case 'isSolution':
      return value === true ? true : undefined
    case 'number':
      return Number.isSafeInteger(value) ? value : undefined
    default:
      return value ?? undefined
  }
}

/** What no page and no database takes: controls besides tabs and line breaks, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const keepable = (text: string) => text.replace(CONTROLS, '').toWellFormed()

/** Nothing is an empty text; a number or an object is no text. */
function cleanedText(value: unknown, lost: string[]): unknown {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return value
  const text = keepable(value)
  if (text.length > MAX_TEXT) lost.push(`ends of texts of more than ${MAX_TEXT} characters`)
  return cut(text, MAX_TEXT)
}

function lineOf(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = cut(oneLine(value.toWellFormed()).trim(), length)
  return line === '' ? undefined : line
}

export const nameOf = (value: unknown): string | undefined => lineOf(value, NAME)

function cleanedLabels(value: unknown, lost: string[]): string[] {
  const names = new Set((Array.isArray(value) ? value : []).map(nameOf).filter((name) => name !== undefined))
  if (names.size > LABELS) lost.push(`labels of things with more than ${LABELS}`)
  return [...names].slice(0, LABELS)
}

/** An id is as it is or is none: two that are cut could be one. */
function cleanedId(value: unknown): string | undefined {
  const id = idOf(value)
  return id !== undefined && id.length <= 200 && !/\p{Cc}/u.test(id) && id.isWellFormed() ? id : undefined
}

/** With or without `#`, of three or six digits. */
function colorOf(value: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value.trim())?.[1]
  if (!digits) return undefined
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`.toLowerCase()
}

const EARLIEST = Date.UTC(1970, 0, 2)
const LATEST = Date.UTC(2100, 0, 1)
/** A date, or a date and time; without a zone it is UTC. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
/** `5 Jan 2024 10:30`, `Fri, 05 Jan 2024 10:30:00 GMT`, `January 5, 2024`: nothing where a day and a month could be confused. */
const WITH_MONTH =
  /^[a-z]{0,9},?\s?(?:\d{1,2}\s[a-z]{3,9}|[a-z]{3,9}\s\d{1,2}),?\s\d{4}(?:[ ,at]+\d\d?:\d\d(?::\d\d)?(?:\s?[ap]m)?(?:\s(?:Z|UTC|GMT|[+-]\d{4}))?)?$/i

/** A time in ISO 8601: of a text, of seconds or of milliseconds; undefined outside of 1970 to 2099. */
export function momentOf(value: unknown): string | undefined {
  const time =
    typeof value === 'number' ? timeOfNumber(value) : typeof value === 'string' ? timeOfText(value.trim()) : NaN
  return time >= EARLIEST && time < LATEST ? new Date(time).toISOString() : undefined
}

const timeOfNumber = (value: number) => Math.trunc(value < 100_000_000_000 ? value * 1000 : value)

function timeOfText(text: string): number {
  if (text.length > 50) return NaN
  const iso = ISO.exec(text)
  if (iso) {
    const [, day, time = '00:00', fraction = '0', zone = 'Z'] = iso
    return Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.${fraction.slice(0, 3)}${zoneOf(zone)}`)
  }
  if (!WITH_MONTH.test(text)) return NaN
  return Date.parse(/(?:Z|UTC|GMT|[+-]\d{4})$/i.test(text) ? text : `${text} UTC`)
}

function zoneOf(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z'
  const digits = zone.replace(':', '')
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`
}
