// Handlers for administration: users, roles, blocks and the audit log.
import type { z } from 'zod'
import { listAudit } from '../../audit/audit.ts'
import { boardBySlug } from '../../content/board-access/boards.ts'
import { addWebhook, shownWebhook, webhookHandlers } from '../../content/webhooks/handlers.ts'
import { listCommunityWebhooks } from '../../content/webhooks/queries.ts'
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { lockUsersAndAdmins } from '../../identity/account-queries.ts'
import { cancelDeletion, requestDeletion } from '../../identity/deletion.ts'
import { changeRole } from '../../identity/roles.ts'
import { requireAnotherAdmin } from '../../identity/rules.ts'
import type { Handlers } from '../../request/handler.ts'
import { changeBlock, tellOfBlock } from './blocking.ts'
import { type AuditTarget, admin, DEFAULT_PER_PAGE, type webhooks } from './contract.ts'
import { pageOfUsers } from './queries.ts'
import { partiesOf } from './rules.ts'

type Entries = readonly { targetType: string; targetId: string; detail: Record<string, unknown> | null }[]

export interface AuditLookups {
  /** Tells what entries of the log are about, in their order. */
  findTargets(db: Db, entries: Entries, off: PartsOff): Promise<z.input<typeof AuditTarget>[]>
  /** And how that is called which their details name by id. */
  findNames(db: Db, entries: Entries, off: PartsOff): Promise<Record<string, string>[]>
}

export const adminHandlers = ({ findTargets, findNames }: AuditLookups): Handlers<typeof admin> => ({
  ...accountHandlers,
  listAudit: async ({ db, config }, { page, per_page, cursor, ...filters }) => {
    const list = { list: ['audit', filters], by: { id: '' } }
    const { items: found, ...end } = await pageOfRows({ page, per_page, cursor }, list, ({ after, ...range }) =>
      listAudit(db, filters, { ...range, before: after && String(after[0]) }),
    )
    const off = partsOff(config)
    const entries = found.map((entry) => unnamed({ ...entry, detail: entry.detail && JSON.parse(entry.detail) }, off))
    const [targets, names] = [await findTargets(db, entries, off), await findNames(db, entries, off)]
    const items = entries.map((entry, at) => ({ ...entry, target: targets[at] ?? null, names: names[at] ?? {} }))
    return { items, ...end }
  },
})

/** What was done to a thing of a part that is off stays in the log: without what the thing is called. */
function unnamed<Entry extends Entries[number]>(entry: Entry, { kinds }: PartsOff): Entry {
  const { targetType, detail } = entry
  if (!detail || ![targetType, detail['targetType'], detail['on']].some((type) => kinds.has(String(type)))) return entry
  const { title: _title, name: _name, slug: _slug, ...rest } = detail
  return { ...entry, detail: rest }
}

const accountHandlers: Omit<Handlers<typeof admin>, 'listAudit'> = {
  async listUsers({ db }, input) {
    const { items: users, hasMore, total, ...end } = await pageOfUsers(db, input)
    const { page, per_page, ...filters } = input
    // Without parameters the response is that of the first version, if it contains every account.
    const isPlain =
      page === 0 && per_page === DEFAULT_PER_PAGE && Object.values(filters).every((filter) => filter === undefined)
    return { users, ...((hasMore || !isPlain) && { hasMore, total }), ...end }
  },

  async block(context, { id, blocked, reason }) {
    const by = { ...context, actorId: context.caller.id }
    return context.db.transaction().execute(async (transaction) => {
      const { target, blockedAt, isChanged } = await changeBlock(context, transaction, { id, blocked, reason })
      if (isChanged) await tellOfBlock(by, transaction, { target, blocked, reason })
      return { blockedAt }
    })
  },

  async setRole(context, { id, role, reason }) {
    const { db, caller, now, address, outbox, config } = context
    await db.transaction().execute(async (transaction) => {
      const locked = await lockUsersAndAdmins(transaction, [caller.id, id])
      const { target } = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.setRole.access.roles })
      if (role !== 'admin') requireAnotherAdmin(locked, target)
      const change = { role, actorId: caller.id, now, reason, address }
      await changeRole({ outbox, config, db: transaction }, target, change)
    })
    return { role }
  },

  async deleteUser(context, { id, content, reason }) {
    const { db, caller, now, address, outbox, config } = context
    return db.transaction().execute(async (transaction) => {
      const locked = await lockUsersAndAdmins(transaction, [caller.id, id])
      const { target } = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.deleteUser.access.roles })
      if (target.id === caller.id) throw new Problem('conflict', 'Delete your own account in your settings')
      requireAnotherAdmin(locked, target)
      const by = { outbox, config, actorId: caller.id, now, reason, address }
      return requestDeletion(by, transaction, { user: target, content, requestedBy: 'admin' })
    })
  },

  async keepUser(context, { id, reason }) {
    const { db, caller, now, address, outbox, config } = context
    await db.transaction().execute(async (transaction) => {
      const locked = await lockUsersAndAdmins(transaction, [caller.id, id])
      const { target } = partiesOf(locked, { actorId: caller.id, targetId: id, roles: admin.keepUser.access.roles })
      const by = { outbox, config, actorId: caller.id, now, reason, address }
      await cancelDeletion(by, transaction, { user: target, byAdmin: true })
    })
    return { id }
  },
}

/** More than every admin of a community has. */
const MAX_LISTED = 500

const boardIdOf = async (db: Db, slug: string | null) => (slug === null ? null : (await boardBySlug(db, slug)).id)

const ofWebhook = webhookHandlers((_caller, { itemId, subscriptionId }) => itemId === null && subscriptionId === null)

export const webhooksHandlers: Handlers<typeof webhooks> = {
  async list({ db, config }) {
    const off = partsOff(config)
    return { items: (await listCommunityWebhooks(db, MAX_LISTED)).map((row) => shownWebhook(row, off)) }
  },
  async create(context, { board, ...given }) {
    return addWebhook(context, { ...given, itemId: null, boardId: await boardIdOf(context.db, board ?? null) })
  },
  ...ofWebhook,
  async update(context, { board, ...changes }) {
    const placed = board === undefined ? {} : { boardId: await boardIdOf(context.db, board) }
    return ofWebhook.update(context, { ...changes, ...placed })
  },
}
