// Handlers for boards. A change of a board locks all of them: there are few, and they are changed rarely.

import { record } from '../../audit/audit.ts'
import { parseAgents } from '../../contract/bounds.ts'
import { Problem } from '../../contract/problem.ts'
import { standingIn } from '../../contract/standing.ts'
import { pageOfRows } from '../../database/cursor.ts'
import { isUniqueViolation } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { deleteBoardMember, deleteBoardMembers, listBoardMembers } from '../../identity/board-member-queries.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { allBoards, type Board, boardBySlug, boardOf, isOpenToCall } from '../board-access/boards.ts'
import { type BoardAnswer, boardActions, type boards } from '../board-access/contract.ts'
import * as queries from '../board-access/queries.ts'
import { FIRST, FIRST_BOARD, isClosed, MAX_BOARDS, MAX_TURNED } from '../board-access/rules.ts'
import type { BoardedKind, HideableKind } from '../things.ts'
import { changesOf, storedChanges, valuesOf } from './changes.ts'
import { moveHandler, turn } from './moving.ts'

const memberHandlers: Pick<Handlers<typeof boards>, 'members' | 'removeMember'> = {
  async members({ db }, { board, ...request }) {
    const { id } = await boardBySlug(db, board)
    const list = { list: ['board members', id], by: { createdAt: '', id: '' } }
    return pageOfRows(request, list, (range) => listBoardMembers(db, id, range))
  },

  async removeMember({ db, caller, now, address }, { board, userId, reason }) {
    const { id, name } = await boardBySlug(db, board)
    await db.transaction().execute(async (transaction) => {
      if (!(await deleteBoardMember(transaction, { boardId: id, userId })))
        throw new Problem('not_found', 'This account is not invited to this board')
      const act = { action: boardActions.uninvite, actorId: caller.id, targetId: id, address }
      await record(transaction, now, { ...act, detail: { name, accountId: userId }, reason })
    })
    return { id: userId }
  },
}

interface Services {
  boarded: readonly BoardedKind[]
  hidings: ReadonlyMap<string, HideableKind>
}

/** A board as a caller sees it. */
function shown(board: Board, caller: Caller | undefined): BoardAnswer {
  const { id, slug, name, description, position, archivedAt, agents, statuses, labels, lines } = board
  const isFirst = id === FIRST_BOARD
  const isModerator = caller !== undefined && caller.role !== 'member'
  const { write, moderate } = isFirst ? { write: caller !== undefined, moderate: isModerator } : standingIn(id)
  return {
    ...{ id, slug, name, description, position, archivedAt, agents, closed: isClosed(board) },
    statuses: parseJson<BoardAnswer['statuses']>(statuses),
    labels: labels === null ? null : parseJson<string[]>(labels),
    url: `/community/boards/${slug}`,
    can: { write, moderate, edit: caller?.role === 'admin' },
    ...(isModerator && { rules: lines }),
  }
}

/** As a conflict where the address is another board's. */
async function unlessTaken<Result>(slug: string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error)
      ? new Problem('conflict', `There is a board with the address ${slug} already`)
      : error
  }
}

interface Change {
  slug: string
  action: (typeof boardActions)[keyof typeof boardActions]
  reason: string | null
}

/** Changes a board that is locked with all others: `work` gives what becomes of it, and what the log says. */
async function changing<Result>(
  context: Context<Caller>,
  { slug, action, reason }: Change,
  work: (db: Transaction, board: Board) => Promise<{ result: Result; detail?: Record<string, unknown> }>,
): Promise<Result> {
  const { db, caller, now, address } = context
  await boardBySlug(db, slug)
  return db.transaction().execute(async (transaction) => {
    const rows = await queries.lockBoards(transaction)
    const all = rows.some(({ id }) => id === FIRST_BOARD) ? rows : [FIRST, ...rows]
    const row = all.find((board) => board.slug === slug)
    if (!row) throw new Problem('not_found', 'No such board')
    const { result, detail } = await work(transaction, boardOf(row))
    if (detail) {
      const act = {
        action,
        actorId: caller.id,
        targetId: row.id,
        detail: { name: row.name, ...detail },
        reason,
        address,
      }
      await record(transaction, now, act)
    }
    return result
  })
}

/** Stores changes of a board; the first one has its row from then on. */
async function store(db: Transaction, board: Board, changes: ReturnType<typeof storedChanges>): Promise<Board> {
  const { lines, ...row } = board
  const after = { ...row, ...lines, ...changes }
  const isStored = board.id !== FIRST_BOARD || board.updatedAt !== ''
  if (isStored) await queries.updateBoard(db, board.id, changes)
  else await queries.insertBoard(db, { ...after, createdAt: after.updatedAt })
  return boardOf(after)
}

/** Takes what is in a board out of what all boards share, or puts it back, where that changes. */
async function turnAll(
  db: Transaction,
  { before, after, hidings, now }: { before: Board; after: Board; hidings: Services['hidings']; now: string },
): Promise<number> {
  if (isClosed(before) === isClosed(after)) return 0
  const things = await queries.listInBoard(db, { boardId: before.id, limit: MAX_TURNED + 1 })
  if (things.length > MAX_TURNED) {
    throw new Problem(
      'conflict',
      `A board is opened or closed while it has at most ${MAX_TURNED} things; move them to another one`,
    )
  }
  for (const { type, id } of things) await turn(db, hidings, { type, id, isClosed: isClosed(after), now })
  return things.length
}

/** Refuses a rule that goes by trust where the server knows none. */
function assertTrust({ config }: Pick<Context, 'config'>, agents: string | null | undefined): void {
  if (agents == null || config.trust !== undefined || parseAgents(agents)?.trust === undefined) return
  throw new Problem('invalid_request', 'agents: names a level of trust, but TRUST is off')
}

const create: Handlers<typeof boards>['create'] = async (context, given) => {
  const { db, caller, now, address } = context
  assertTrust(context, given.agents)
  const values = await valuesOf(db, given)
  const board = { id: newId(), ...values, createdAt: now, updatedAt: now, archivedAt: null }
  await unlessTaken(given.slug, () =>
    db.transaction().execute(async (transaction) => {
      const rows = await queries.lockBoards(transaction)
      const others = rows.filter(({ id }) => id !== FIRST_BOARD).length
      if (others + 1 >= MAX_BOARDS) throw new Problem('conflict', `There are ${MAX_BOARDS} boards already`)
      if (given.slug === (rows.find(({ id }) => id === FIRST_BOARD) ?? FIRST).slug) {
        throw new Problem('conflict', `There is a board with the address ${given.slug} already`)
      }
      await queries.insertBoard(transaction, board)
      const { name, slug, readers } = board
      const act = { action: boardActions.create, actorId: caller.id, targetId: board.id, address }
      await record(transaction, now, { ...act, detail: { name, slug, readers } })
    }),
  )
  return { ...shown(boardOf(board), caller), can: { write: true, moderate: true, edit: true } }
}

const updateHandler =
  (hidings: Services['hidings']): Handlers<typeof boards>['update'] =>
  async (context, { board: slug, confirm, reason, ...given }) => {
    const { caller, now } = context
    assertTrust(context, given.agents)
    const change = { slug, action: boardActions.update, reason }
    const after = await unlessTaken(given.slug, () =>
      changing(context, change, async (transaction, before) => {
        const changes = await changesOf(transaction, before, given)
        if (Object.keys(changes).length === 0) return { result: before }
        const changed = await store(transaction, before, storedChanges(changes, now))
        const turned = await turnAll(transaction, { before, after: changed, hidings, now })
        if (turned > 0 && !isClosed(changed) && !confirm) {
          throw new Problem('conflict', 'Everybody will read what is in this board. Confirm it')
        }
        return { result: changed, detail: { changed: Object.keys(changes) } }
      }),
    )
    return shown(after, caller)
  }

export function boardHandlers({ boarded, hidings }: Services): Handlers<typeof boards> {
  return {
    async list({ db, caller }) {
      const items = (await allBoards(db)).filter(isOpenToCall).map((board) => shown(board, caller))
      return { items, hasMore: false }
    },

    get: async ({ db, caller }, { board }) => shown(await boardBySlug(db, board), caller),

    create,
    update: updateHandler(hidings),

    async archive(context, { board: slug, archived, reason }) {
      const { caller, now } = context
      const change = { slug, action: boardActions.archive, reason }
      const after = await changing(context, change, async (transaction, before) => {
        if (before.id === FIRST_BOARD) throw new Problem('conflict', 'The first board cannot be archived')
        if ((before.archivedAt !== null) === archived) return { result: before }
        const changes = { archivedAt: archived ? now : null, updatedAt: now }
        return { result: await store(transaction, before, changes), detail: { archived } }
      })
      return shown(after, caller)
    },

    delete: (context, { board: slug, reason }) =>
      changing(context, { slug, action: boardActions.delete, reason }, async (transaction, { id }) => {
        if (id === FIRST_BOARD) throw new Problem('conflict', 'The first board cannot be deleted')
        const left = await queries.listInBoard(transaction, { boardId: id, limit: 1 })
        if (left.length > 0) throw new Problem('conflict', 'There are things in this board; move or delete them first')
        await deleteBoardMembers(transaction, id)
        await queries.deleteBoard(transaction, id)
        return { result: { id }, detail: { slug } }
      }),

    ...memberHandlers,
    move: moveHandler({ boarded, hidings }),
  }
}
