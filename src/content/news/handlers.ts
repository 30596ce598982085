// What is new for a member: made of the inbox, of what waits for them, and of the feed.
import type { Context, Handlers } from '../../request/handler.ts'
import { widthOf } from '../../runtime/width.ts'
import { kindsOff, pageOfFeed } from '../feed/pages.ts'
import { pageOfInbox } from '../notifications/inbox-pages.ts'
import { countUnread, type listNotifications } from '../notifications/queries.ts'
import { inboxOf } from '../notifications/reading.ts'
import type { news, Pending } from './contract.ts'

/** Each of them costs tokens, and the list of its own has all. */
const MAX_SHOWN = 3
const TITLE_LENGTH = 60
const TEXT_LENGTH = 120

const TO_ME: readonly string[] = ['mention', 'reply', 'invitation', 'approval', 'notice', 'report']

/** What waits for the caller, newest first; each part of the application has its own. */
export type PendingOf = (context: MemberContext) => Promise<Pending[]>
type MemberContext = Parameters<Handlers<typeof news>['list']>[0]

/** The length of the beginning that costs as much as so many letters. */
function lengthFor(line: string, most: number): number {
  let width = 0
  let length = 0
  while (length < line.length && width < most) {
    width += Math.min(widthOf(line.charAt(length)), 2)
    length++
  }
  return length
}

/** The beginning of a text, on one line; it ends at a word unless that leaves too little. */
function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const length = lengthFor(line, most)
  if (line.length <= length) return line
  const space = line.lastIndexOf(' ', length - 1)
  return `${line.slice(0, space > length / 2 ? space : length - 1).toWellFormed()}…`
}

type Row = Awaited<ReturnType<typeof listNotifications>>[number]

const shown = ({ position, kind, targetType, targetId, number, title, ...row }: Row) => ({
  id: String(position),
  type: kind,
  toMe: TO_ME.includes(kind),
  target: {
    type: targetType,
    id: targetId,
    number: number === null ? null : Number(number),
    title: cut(title, TITLE_LENGTH),
  },
  by: row.actorUsername,
  text: cut(row.excerpt, TEXT_LENGTH),
  url: row.url,
  createdAt: row.createdAt,
})

const shortened = ({ title, target, ...one }: Pending): Pending => ({
  ...one,
  title: cut(title, TITLE_LENGTH),
  ...(target && { target: { ...target, title: cut(target.title, TITLE_LENGTH) } }),
})

/** The newest things of others. */
async function recentFor(context: Pick<Context, 'db' | 'config'> & { caller: { id: string } }) {
  const { db, caller } = context
  const newest = await pageOfFeed(
    db,
    { sort: 'latest', without: kindsOff(context) },
    { offset: 0, limit: MAX_SHOWN * 2 },
  )
  return newest
    .filter(({ authorId }) => authorId !== caller.id)
    .slice(0, MAX_SHOWN)
    .map(({ type, id, number, title, authorUsername: by, createdAt }) => ({
      ...{ type, id, number, by, createdAt },
      title: cut(title, TITLE_LENGTH),
    }))
}

export const newsHandlers = (sources: readonly PendingOf[]): Handlers<typeof news> => ({
  async list(context, request) {
    const { db, caller, config } = context
    const inbox = inboxOf({ db, caller, config })
    const { off } = inbox
    const { items, ...found } = await pageOfInbox(db, { ...inbox, unread: true, ...request })
    const page = { unread: await countUnread(db, inbox), items: items.map(shown), ...found }
    if (request.before !== undefined || request.cursor) return { ...page, pending: [], pendingTotal: 0, recent: [] }
    const waiting = (await Promise.all(sources.map((source) => source(context)))).flat()
    const pending = waiting.filter(({ target }) => !target || !off.hasPage(target.url))
    const first = pending.slice(0, MAX_SHOWN).map(shortened)
    return { ...page, pending: first, pendingTotal: pending.length, recent: await recentFor(context) }
  },
})
