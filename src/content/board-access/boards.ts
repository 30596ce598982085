// The boards of an instance, read from memory: what a caller may do in each, and the board that a request names.
import type { WriteKind } from '../../contract/bounds.ts'
import { parseAgents, requirePower } from '../../contract/bounds.ts'
import { isByAgent } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import { type Standings, standingIn } from '../../contract/standing.ts'
import { groupsOfCaller, type Readers } from '../../core/readers.ts'
import type { BoardTable, Db, Transaction } from '../../database/schema.ts'
import { listBoardsOfMember } from '../../identity/board-member-queries.ts'
import type { Caller } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { listPlaces } from './place-queries.ts'
import { holdBoards, listBoards, listTeamSlugs } from './queries.ts'
import { FIRST, FIRST_BOARD, isClosed, parseRule, type RuledBoard, standingOf } from './rules.ts'

export { holdBoards } from './queries.ts'

/** A board with its rules parsed. */
export interface Board extends Omit<BoardTable, 'readers' | 'writers' | 'moderators'>, RuledBoard {
  /** As they are written. */
  lines: Pick<BoardTable, 'readers' | 'writers' | 'moderators'>
}

const ruleIn = (line: string) => required(parseRule(line))

/** A row with its rules parsed. */
export function boardOf({ readers, writers, moderators, ...row }: BoardTable): Board {
  const parsed = { readers: ruleIn(readers), writers: ruleIn(writers), moderators: ruleIn(moderators) }
  return { ...row, ...parsed, lines: { readers, writers, moderators } }
}

const parsed = new WeakMap<readonly BoardTable[], readonly Board[]>()

/** Every board, by position. The first one is there without a row. */
export async function allBoards(db: Db): Promise<readonly Board[]> {
  const rows = await listBoards(db)
  let boards = parsed.get(rows)
  if (!boards) {
    const found = rows.map(boardOf)
    boards = found.some(({ id }) => id === FIRST_BOARD) ? found : [boardOf(FIRST), ...found]
    parsed.set(rows, boards)
  }
  return boards
}

/** What an account may do in the boards beside the first one; undefined where there are none. */
export async function standingsOf(
  { db, config }: { db: Db; config: Readers },
  caller: Pick<Caller, 'id' | 'role' | 'externalGroups'>,
): Promise<Standings | undefined> {
  const boards = await allBoards(db)
  if (boards.length === 1) return undefined
  const rules = boards.flatMap(({ readers, writers, moderators }) => [readers, writers, moderators])
  const teams = rules.some((rule) => rule.teams.length > 0) ? await listTeamSlugs(db, caller.id) : []
  const invitedTo = rules.some(({ invited }) => invited) ? await listBoardsOfMember(db, caller.id) : []
  const visitor = { role: caller.role, groups: groupsOfCaller(config, caller), teams, invitedTo }
  return new Map(boards.map((board) => [board.id, standingOf(board, visitor)]))
}

const noSuchBoard = () => new Problem('not_found', 'No such board')

/** Whether the running call may read a board. */
export const isOpenToCall = (board: Board): boolean => !isClosed(board) || standingIn(board.id).read

/** The board of this address, as far as the running call may read it; throws `not_found`. */
export async function boardBySlug(db: Db, slug: string): Promise<Board> {
  const found = (await allBoards(db)).find((board) => board.slug === slug)
  if (!found || !isOpenToCall(found)) throw noSuchBoard()
  return found
}

/** Whether a caller moderates a board. Moderators of the instance do in each. */
export const isModeratedBy = ({ id }: Pick<Board, 'id'>, caller: Pick<Caller, 'role'>): boolean =>
  id === FIRST_BOARD ? caller.role !== 'member' : standingIn(id).moderate

/** A board by its id, for what is decided without a caller. */
export const findBoard = async (db: Db, id: string): Promise<Board | undefined> =>
  (await allBoards(db)).find((board) => board.id === id)

/** Where a new thing goes, as its row has it. */
export interface Placing {
  boardId: string | null
  /** Why it is out of what all boards share. */
  hidden: number
}

/** How rows of a board are hidden. */
export const hiddenIn = (board: RuledBoard): number => (isClosed(board) ? hiddenBy.board : 0)

/** Where things of a board go. */
export const placingIn = (board: Board): Placing => ({
  boardId: board.id === FIRST_BOARD ? null : board.id,
  hidden: hiddenIn(board),
})

/** Whether a thing that goes from one board to another has other readers there. Each board has invited people of its own. */
export const isOtherAudience = (from: Board, to: Board): boolean =>
  (isClosed(from) || isClosed(to)) && (from.readers.invited || from.lines.readers !== to.lines.readers)

interface PlacedThing {
  boardId?: string | null
}

/** Refuses to bring what one board has to the readers of another; it is asked for once more then. */
export async function assertSameAudience(db: Db, from: PlacedThing, to: PlacedThing): Promise<void> {
  const [one, other] = [from.boardId ?? FIRST_BOARD, to.boardId ?? FIRST_BOARD]
  if (one === other) return
  const boards = new Map((await allBoards(db)).map((board) => [board.id, board]))
  if (!isOtherAudience(required(boards.get(one)), required(boards.get(other)))) return
  throw new Problem('conflict', 'This board has other readers. Confirm it')
}

/** The board in which a thing is seen until now, by everybody or by those who read a closed one; undefined where none is. */
export const boardSeenIn = ({ hidden, boardId }: PlacedThing & { hidden: number }): string | undefined =>
  boardId !== undefined && (hidden === 0 || hidden === hiddenBy.board) ? (boardId ?? FIRST_BOARD) : undefined

const FIRST_PLACING: Placing = { boardId: null, hidden: 0 }

/**
 * Where what a caller writes in this transaction goes; the first board where none is named. No board is closed, archived or deleted until the
 * transaction ends. Throws `not_found`, and `forbidden` where others write.
 */
export async function placingFor(db: Transaction, slug: string | undefined): Promise<Placing> {
  if (slug === undefined) return FIRST_PLACING
  await holdBoards(db)
  const board = await boardBySlug(db, slug)
  if (board.id !== FIRST_BOARD) assertWritable(board)
  return placingIn(board)
}

/** Throws `forbidden` where the running call may not write in a board, and `conflict` where it is archived. */
export function assertWritable(board: Board): void {
  if (board.archivedAt !== null) throw new Problem('conflict', 'This board is archived')
  if (!standingIn(board.id).write) throw new Problem('forbidden', 'Others write in this board')
}

/** What is to be said of where rows are: the slug of their board, nothing of the first one. */
export async function slugsOf(db: Db): Promise<(row: { boardId?: string | null }) => string | undefined> {
  const boards = new Map((await allBoards(db)).map(({ id, slug }) => [id, slug]))
  return ({ boardId }) => (boardId == null ? undefined : boards.get(boardId))
}

// What agents may do in a board, where it has a rule of its own: that of the instance counts too (core/call-budget.ts), so the stricter of both
// holds. A board that the caller does not read says nothing: there it finds nothing anyway.

interface PowerAsked {
  caller: Caller
  kind: WriteKind
  wanted: 'write' | 'suggest'
  /** All ids in it count, and its `board`. */
  input: Readonly<Record<string, unknown>>
  /** Whether what is written goes to the first board unless the input names one. */
  isPlaced: boolean
}

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const idsIn = (input: PowerAsked['input']): string[] => [
  ...new Set(
    Object.values(input)
      .flat()
      .filter((value): value is string => typeof value === 'string' && ID.test(value)),
  ),
]

/** The boards that a call is about. */
async function boardsIn(db: Db, boards: readonly Board[], { input, isPlaced }: PowerAsked): Promise<readonly Board[]> {
  const ids = idsIn(input)
  const places = ids.length > 0 ? await listPlaces(db, ids) : []
  const slug = input['board']
  const isFirst = places.includes(null) || (isPlaced && slug === undefined)
  return boards.filter(
    (board) => board.slug === slug || places.includes(board.id) || (isFirst && board.id === FIRST_BOARD),
  )
}

/** Throws `forbidden` where the caller is an agent that may not do so much of a kind in a board that its call is about. */
export async function requirePowerIn(db: Db, asked: PowerAsked): Promise<void> {
  const { caller, kind, wanted } = asked
  if (!isByAgent(caller.via)) return
  const ruled = (await allBoards(db)).filter(({ agents }) => agents !== null)
  if (ruled.length === 0) return
  for (const board of await boardsIn(db, ruled, asked)) {
    if (board.agents !== null && isOpenToCall(board))
      requirePower(required(parseAgents(board.agents)), caller, { kind, wanted })
  }
}
