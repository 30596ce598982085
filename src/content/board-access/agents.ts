// What agents may do in a board, where it has a rule of its own: that of the instance counts too (core/call-budget.ts), so the stricter of both
// holds. A board that the caller does not read says nothing: there it finds nothing anyway.

import { parseAgents, requirePower } from '../../contract/agents-rule.ts'
import type { WriteKind } from '../../contract/bounds.ts'
import { isByAgent } from '../../contract/widget.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { allBoards, type Board, isOpenToCall } from './boards.ts'
import { listPlaces } from './place-queries.ts'
import { FIRST_BOARD } from './rules.ts'

export interface PowerAsked {
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
