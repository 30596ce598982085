// Who may hear of an event: everybody, those who read the closed board that its thing is in by now, or no account. This is asked at each batch of a
// delivery, and again when an inbox is read or mailed (`isStillShown` in queries.ts), because access changes.
import type { Readers } from '../../core/readers.ts'
import type { Db, EventTable } from '../../database/schema.ts'
import { findBoard } from '../board-access/boards.ts'
import { boarded } from '../board-access/contract.ts'
import { findPlace } from '../board-access/place-queries.ts'
import { hasClosed, readersAmong } from '../board-access/reading.ts'
import { isInClosedBoard } from '../hiding/rules.ts'

const inBoards: ReadonlySet<string> = new Set(boarded)

/** What is for some accounts alone and on no thing that others see. */
export const ofNoThing: ReadonlySet<EventTable['kind']> = new Set(['notice', 'invited', 'asked', 'judged'])

/** Whether an event is about a thing that can be in a closed board. */
export const isBoarded = ({ kind, targetType }: Pick<EventTable, 'kind' | 'targetType'>): boolean =>
  inBoards.has(targetType) && !ofNoThing.has(kind)

export interface Audience {
  /** Whether it is about something in a closed board: an inbox remembers that. */
  isOfClosed: boolean
  /** Those of these accounts that may hear of it. */
  among(ids: readonly string[]): Promise<readonly string[]>
}

/** Who hears of an event; undefined where it is for webhooks alone. */
export async function audienceOf(
  { db, config }: { db: Db; config: Readers },
  event: Pick<EventTable, 'kind' | 'targetType' | 'targetId' | 'hidden'>,
): Promise<Audience | undefined> {
  const isHidden = event.hidden === 1
  const others = { isOfClosed: isHidden, among: async (ids: readonly string[]) => ids }
  if (!isBoarded(event)) return isHidden ? undefined : others
  if (!isHidden && !(await hasClosed(db))) return others
  const place = await findPlace(db, event.targetId)
  if (!place) return isHidden ? undefined : others
  if (!isInClosedBoard(place)) return others
  const board = await findBoard(db, String(place.boardId))
  return board && { isOfClosed: true, among: (ids) => readersAmong({ db, config }, board, ids) }
}
