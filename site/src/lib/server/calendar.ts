// Calendars (RFC 5545), in the site's own language, of what belongs to a day: an event of a whole day needs no time zone. Calendars of Google,
// Apple and Microsoft subscribe to events and pass over to-dos, so what is due is an event too.
import { siteWordsOf } from '#lib/language/catalogue.ts'

export interface CalendarEvent {
  /** It stays when the thing is renamed or moved: an id, which is a UUID (RFC 7986, 5.3). */
  id: string
  /** YYYY-MM-DD. */
  day: string
  title: string
  /** Plain words. */
  description: string
  url: string
  /** When what the event says was written. */
  writtenAt: string
  /** Whether `writtenAt` moves with every change of the event, its day included. */
  isDated: boolean
  status: 'TENTATIVE' | 'CONFIRMED'
  categories: readonly string[]
}

interface Calendar {
  /** The name of the site, which stands before the title. */
  site: string
  title: string
  /** The URL of the calendar, with its query. */
  url: URL
  events: readonly CalendarEvent[]
}

/** Of the content lines, without the line break (RFC 5545, 3.1). */
const MAX_OCTETS = 75

/** Breaks a line between characters; a line that goes on begins with a space, which counts. */
function folded(line: string): string {
  let out = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      out += '\r\n '
      octets = 1
    }
    out += character
    octets += size
  }
  return out
}

/** A value of the type TEXT (RFC 5545, 3.3.11), which has no control characters but the escaped line break. */
const text = (value: string): string =>
  value
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const dayOf = (day: string) => day.replaceAll('-', '')
const timeOf = (at: string) => at.replace(/[-:]|\.\d+/g, '')

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

const linesOf = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${event.id}`,
  `DTSTAMP:${timeOf(event.writtenAt)}`,
  ...(event.isDated ? [`LAST-MODIFIED:${timeOf(event.writtenAt)}`] : []),
  `DTSTART;VALUE=DATE:${dayOf(event.day)}`,
  ...(event.day < LAST_DAY ? [`DTEND;VALUE=DATE:${dayOf(nextDay(event.day))}`] : []),
  `SUMMARY:${text(event.title)}`,
  `DESCRIPTION:${text(event.description)}`,
  `URL:${event.url}`,
  `STATUS:${event.status}`,
  `CATEGORIES:${event.categories.map(text).join()}`,
  // It blocks no time.
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
]

/** The day after it cannot be written; without an end an event lasts its day. */
const LAST_DAY = '9999-12-31'

/** A calendar without events has no component, which every known reader takes. */
function calendar({ site, title, url, events }: Calendar): string {
  const name = text(siteWordsOf({ name: site })('share.feed', { title }))
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    // A server has its own name everywhere.
    `PRODID:-//${text(site)}//Calendar//EN`,
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `SOURCE;VALUE=URI:${url.href}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

export const calendarAnswer = (given: Calendar): Response =>
  new Response(calendar(given), {
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'private, max-age=300' },
  })

/** Pages of 100: the newest 500 of a list are in its calendar. */
const MAX_PAGES = 5

type Page<Item> = { items: Item[]; nextCursor?: string | null | undefined }

/** The newest of a list. */
export async function newestOf<Item>(
  read: (page: { cursor: string; per_page: number }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null | undefined = ''
  for (let page = 0; page < MAX_PAGES && typeof cursor === 'string'; page++) {
    const found: Page<Item> = await read({ cursor, per_page: 100 })
    items.push(...found.items)
    cursor = found.nextCursor
  }
  return items
}
