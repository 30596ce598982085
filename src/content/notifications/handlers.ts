// The inbox and what is followed. By now the caller is known, not blocked and allowed, and the input is parsed.
import { notificationKinds } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import type { ActHead } from '../../contract/pending.ts'
import { Problem } from '../../contract/problem.ts'
import { pageBefore, pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { inNameOf } from '../../language/named.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { resolveBoard } from '../board-access/listing-queries.ts'
import { closedBoardsOf } from '../board-access/reading.ts'
import { forwarded } from '../merged/queries.ts'
import type { notifications } from './contract.ts'
import type { follows } from './follow-contract.ts'
import { isMember, listFollows } from './following-queries.ts'
import { type GroupSource, listGroups, listNewestOf } from './group-queries.ts'
import { pageOfInbox } from './inbox-pages.ts'
import { type Detail, type HeadsOf, outcomeOf, readToken } from './letters.ts'
import { clearMailing } from './mailing-queries.ts'
import { updateRead, updateUnread } from './marking-queries.ts'
import * as queries from './queries.ts'
import { boardsShown, type InboxReading, listNotifications } from './queries.ts'
import { inboxOf } from './reading.ts'
import { LINES_OF_GROUP, settingsOf } from './rules.ts'
import { findSeenType } from './seen-types.ts'
import type { Streams } from './streams.ts'

const EVENTS = 'text/event-stream'

/** How many notifications one transaction marks as read. */
const MARKED_AT_ONCE = 1_000

type Row = Awaited<ReturnType<typeof queries.listNotifications>>[number]

function shown(row: Row, act: ActHead | undefined, site: string) {
  const { position, kind: type, read, createdAt, targetType, targetId, number, url, excerpt, actorId } = row
  // Posts of the blog are files that are read on a site of any name.
  const title = targetType === 'blog' ? inNameOf(site, row.title) : row.title
  const detail = row.detail === null ? {} : parseJson<Detail>(row.detail)
  return {
    ...{ id: String(position), type, url, excerpt, createdAt, read: read === 1 },
    target: { type: targetType, id: targetId, number: number === null ? null : Number(number), title },
    actor: actorId === null ? null : { id: actorId, username: row.actorUsername },
    status: detail.status ?? null,
    ...(detail.notice && { notice: detail.notice }),
    ...(detail.report && { report: { type: detail.report.type, state: outcomeOf(detail.report) } }),
    ...(detail.invitation && { invitation: detail.invitation }),
    ...(detail.agent && { agent: detail.agent }),
    ...(detail.operation && { operation: detail.operation }),
    ...(act && { act }),
    version: detail.version ?? null,
    ...(detail.change && { change: detail.change }),
    ...(detail.successor && { successor: detail.successor }),
    merged: detail.merged ?? null,
    unmergedFrom: detail.unmerged ?? null,
    release: detail.release ?? null,
  }
}

const numberOf = (cursor: string | undefined) => (cursor === undefined ? undefined : Number(cursor))

const read: Handlers<typeof notifications>['read'] = async (
  { db, caller, budget, config },
  { ids, through, target },
) => {
  const rows = { ids: ids?.map(Number), through: numberOf(through), target, limit: MARKED_AT_ONCE }
  let marked: number
  let isFirst = true
  do {
    marked = await db.transaction().execute(async (transaction) => {
      const inbox = await queries.lockInbox(transaction, caller.id)
      // One call, however many transactions it takes.
      if (isFirst) await budget.spend(transaction)
      isFirst = false
      const count = inbox ? await updateRead(transaction, caller.id, rows) : 0
      return count
    })
  } while (marked === MARKED_AT_ONCE)
  return { unread: await queries.countUnread(db, inboxOf({ db, caller, config })) }
}

const unread: Handlers<typeof notifications>['unread'] = async ({ db, caller, budget, config }, { ids }) => {
  await db.transaction().execute(async (transaction) => {
    const inbox = await queries.lockInbox(transaction, caller.id)
    await budget.spend(transaction)
    if (inbox) await updateUnread(transaction, caller.id, ids.map(Number))
  })
  return { unread: await queries.countUnread(db, inboxOf({ db, caller, config })) }
}

const updateSettings: Handlers<typeof notifications>['updateSettings'] = async ({ db, caller, budget }, changes) => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const choices = Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  )
  return db.transaction().execute(async (transaction) => {
    await budget.spend(transaction)
    if (given.length > 0) await queries.upsertChoices(transaction, caller.id, choices)
    return settingsOf(await queries.findInbox(transaction, caller.id))
  })
}

const unsubscribe: Handlers<typeof notifications>['unsubscribe'] = async ({ db, secretFor }, { token }) => {
  const found = await readToken(secretFor, token)
  if (!found) throw new Problem('not_found', 'This link is not valid')
  const { mailing, userId } = found
  await db.transaction().execute(async (transaction) => {
    const settings = settingsOf(await queries.lockInbox(transaction, userId))
    const ended = notificationKinds.filter((kind) => settings[kind] === mailing)
    if (ended.length === 0) return
    await queries.upsertChoices(transaction, userId, Object.fromEntries(ended.map((kind) => [kind, 'site'])))
    await clearMailing(transaction, found)
  })
  return { mailing }
}

/** The account in its browser reads what its agents want to write; one agent does not read that of another. */
async function actsIn({ db, caller }: Pick<Context<Caller>, 'db' | 'caller'>, rows: readonly Row[], headsOf: HeadsOf) {
  const ids = rows.filter(({ kind }) => kind === 'approval').map(({ targetId }) => targetId)
  return 'session' in caller.via && ids.length > 0 ? headsOf(db, { userId: caller.id, ids }) : undefined
}

/** Rows as they are shown to a caller, with what its agents want to write. */
async function linesOf(
  { db, caller, config }: Pick<Context<Caller>, 'db' | 'caller' | 'config'>,
  rows: readonly Row[],
  headsOf: HeadsOf,
) {
  const off = partsOff(config)
  const acts = await actsIn({ db, caller }, rows, headsOf)
  // An event of an earlier version does not name what the write is about.
  return rows
    .map((row) => shown(row, acts?.get(row.targetId), config.name))
    .filter(({ act }) => !act?.target || !off.hasPage(act.target.url))
}

export const notificationHandlers = (streams: Streams, headsOf: HeadsOf): Handlers<typeof notifications> => ({
  async list({ db, caller, config }, { unread, board, ...request }) {
    const of = inboxOf({ db, caller, config })
    const within = board === undefined ? {} : { within: await resolveBoard(db, { board }) }
    const { items: rows, ...page } = await pageOfInbox(db, { ...of, unread: unread === 'true', ...within, ...request })
    const items = await linesOf({ db, caller, config }, rows, headsOf)
    const last = rows.at(-1)
    const next = request.after === undefined ? page.next : last ? String(last.position) : request.after
    return { items, ...page, next, unread: await queries.countUnread(db, of) }
  },

  async groups({ db, caller, config }, { unread: only, board, cursor = '', per_page }) {
    const of = inboxOf({ db, caller, config })
    const within = board === undefined ? {} : { within: await resolveBoard(db, { board }) }
    const request = { ...of, unread: only === 'true', ...within, cursor, per_page }
    const { items: groups, ...page } = await pageOfGroups(db, request)
    const lines = await linesOf(
      { db, caller, config },
      groups.flatMap((one) => one.lines),
      headsOf,
    )
    const byThing = Map.groupBy(lines, ({ target }) => `${target.type} ${target.id}`)
    const items = groups.flatMap(({ group: { targetType, targetId, count, unread } }) => {
      const [newest, ...older] = byThing.get(`${targetType} ${targetId}`) ?? []
      return newest ? [{ target: newest.target, count, unread, lines: [newest, ...older] }] : []
    })
    return { items, ...page, unread: await queries.countUnread(db, of) }
  },

  async stream({ caller, request, mayGoOn }) {
    // Only who knows that the answer goes on gets it.
    if (!request.headers.get('accept')?.includes(EVENTS)) {
      throw new Problem('invalid_request', `accept: must be ${EVENTS}`)
    }
    return { contentType: EVENTS, body: streams.open(caller, mayGoOn) }
  },

  count: async ({ db, caller, config }) => ({
    unread: await queries.countUnread(db, inboxOf({ db, caller, config })),
  }),

  read,

  unread,

  settings: async ({ db, caller }) => settingsOf(await queries.findInbox(db, caller.id)),

  updateSettings,

  unsubscribe,
})

/** `followable` are the types of things that can be followed. */
export function followHandlers(followable: ReadonlySet<string>): Handlers<typeof follows> {
  /** Only what everybody can see, and what is in a closed board that the caller reads, can be followed: nothing tells whether something else exists. */
  const followed = ({ db, config }: Pick<Context, 'db' | 'config'>, named: string): Promise<string> =>
    forwarded(db, named, async (id) => {
      const type = await findSeenType(db, id)
      if (type ? followable.has(type) && !partsOff(config).kinds.has(type) : await isMember(db, id)) return id
      throw new Problem('not_found', 'There is no such thing to follow')
    })
  return {
    async list({ db, caller, config }, { before, per_page, cursor, ...wanted }) {
      const request = { before, per_page, cursor }
      const of = { ...wanted, userId: caller.id }
      const off = partsOff(config)
      const boards = await closedBoardsOf({ db, config }, caller)
      return pageBefore(request, ['follows', of], (range) => listFollows(db, { ...of, ...range, boards, off }))
    },

    async get({ db, caller, config }, { id: named }) {
      const id = await followed({ db, config }, named)
      const state = await queries.findFollow(db, { targetId: id, userId: caller.id })
      return { state: state === undefined || state === 'installed' ? 'none' : state }
    },

    async set({ db, caller, now, budget, config }, { id: named, state }) {
      if (named === caller.id) throw new Problem('conflict', 'This is yourself')
      const id = await followed({ db, config }, named)
      await db.transaction().execute(async (transaction) => {
        await budget.spend(transaction)
        const key = { targetId: id, userId: caller.id }
        if (state === 'none') await queries.deleteFollow(transaction, key)
        else await queries.upsertFollow(transaction, { ...key, state, createdAt: now })
      })
      return { state }
    },
  }
}

// Pages of an inbox by the things that it tells of: one entry a thing, with its newest lines.

interface GroupsRequest extends InboxReading, Pick<GroupSource, 'unread' | 'within'> {
  cursor: string
  per_page: number
}

type Line = Awaited<ReturnType<typeof listNotifications>>[number]

/** A page of the things that an inbox tells of. A thing is on the page of its newest line, and on no later one. */
async function pageOfGroups(db: Db, request: GroupsRequest) {
  const { per_page, cursor, off, userId, unread, within } = request
  const source = { userId, unread, off, boards: await boardsShown(db, request), ...(within && { within }) }
  const { items: groups, ...page } = await pageOfRows(
    { page: 0, per_page, cursor },
    { list: ['inbox groups', { userId, unread, within }], by: { position: 0 } },
    ({ limit, after }) => listGroups(db, source, { before: after && Number(after[0]), limit }),
  )
  const wanted = { ids: groups.map(({ targetId }) => targetId), most: LINES_OF_GROUP }
  const positions = await listNewestOf(db, source, wanted)
  const limit = positions.length
  const lines = limit > 0 ? await listNotifications(db, { ...source, positions, limit }) : []
  const byThing = Map.groupBy(lines, ({ targetType, targetId }) => `${targetType} ${targetId}`)
  const items = groups.map((group) => ({ group, lines: byThing.get(`${group.targetType} ${group.targetId}`) ?? [] }))
  return {
    items: items.filter((one): one is typeof one & { lines: [Line, ...Line[]] } => one.lines.length > 0),
    ...page,
  }
}
