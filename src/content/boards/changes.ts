// What is stored of a board from what was given, checked against what there is.
import { Problem } from '../../contract/problem.ts'
import type { BoardTable, Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import type { Board } from '../board-access/boards.ts'
import { countLabels, countTeams } from '../board-access/queries.ts'
import { FIRST_BOARD, parseRule } from '../board-access/rules.ts'

interface BoardFields {
  slug: string
  name: string
  description: string
  position: number
  readers: string
  writers: string
  moderators: string
  agents: string | null
  statuses: object
  labels: string[] | null
}

type Values = Pick<BoardTable, keyof BoardFields>
type Some<Type> = { [Name in keyof Type]?: Type[Name] | undefined }

/** Refuses names of teams and ids of labels that there are none of. */
async function check(db: Db, { readers, writers, moderators, labels }: Some<BoardFields>): Promise<void> {
  const rules = [readers, writers, moderators].filter((line) => line !== undefined)
  const teams = new Set(rules.flatMap((line) => required(parseRule(line)).teams))
  if (teams.size > 0 && (await countTeams(db, [...teams])) < teams.size) {
    throw new Problem('invalid_request', 'a rule names a team that does not exist')
  }
  const ids = new Set(labels)
  if (ids.size > 0 && (await countLabels(db, [...ids])) < ids.size) {
    throw new Problem('invalid_request', 'labels: there is no such label')
  }
}

const asStored = ({ statuses, labels, ...given }: Some<BoardFields>): Partial<Values> => ({
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  ...(statuses !== undefined && { statuses: JSON.stringify(statuses) }),
  ...(labels !== undefined && { labels: labels === null ? null : JSON.stringify([...new Set(labels)]) }),
})

/** All of a new board. */
export async function valuesOf(db: Db, given: BoardFields): Promise<Values> {
  await check(db, given)
  return asStored(given) as Values
}

/** What differs from the board as it is. */
export async function changesOf(db: Db, board: Board, given: Some<BoardFields>): Promise<Partial<Values>> {
  const { lines, ...row } = board
  const before = { ...row, ...lines }
  const differing = Object.entries(asStored(given)).filter(([name, value]) => Reflect.get(before, name) !== value)
  const changes: Partial<Values> = Object.fromEntries(differing)
  const isRuled = ['readers', 'writers', 'moderators'].some((name) => name in changes)
  if (board.id === FIRST_BOARD && isRuled) {
    throw new Problem('conflict', 'The first board is read by everyone and written by members')
  }
  await check(db, given)
  return changes
}

export const storedChanges = (changes: Partial<Values>, now: string): Partial<BoardTable> & { updatedAt: string } => ({
  ...changes,
  updatedAt: now,
})
