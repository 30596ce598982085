// What a link works with while it looks at something: its row, its other side, and the operations here that it calls for people.
import { findBoard } from '../../content/board-access/boards.ts'
import { isClosed } from '../../content/board-access/rules.ts'
import { addressOf, jsonInput } from '../../contract/addresses.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { isPrivate } from '../../core/readers.ts'
import type { TrackerTable, Transaction } from '../../database/schema.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { CallActing } from '../../request/acting.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { Wait } from './asking.ts'
import type { Service } from './service.ts'
import { kindOf } from './services.ts'

export interface Syncing {
  dependencies: Dependencies
  callActing: CallActing
  tracker: TrackerTable
  there: Service
  /** Of the marks in texts there. */
  key: Buffer
  /** The slug of its board; undefined for the first one. */
  board: string | undefined
}

/** What seals tokens and secrets of links, and what their marks are made with. */
export const SEALING = 'trackers'
const MARKS = 'marks of trackers'

/** The network of a link, for budgets: an address that no machine has (RFC 4193). */
function networkOf(id: string): string {
  const hash = Buffer.from(sha256(`tracker ${id}`), 'base64url').toString('hex')
  return `fd${hash.slice(0, 2)}:${hash.slice(2, 6)}:${hash.slice(6, 10)}::1`
}

export const PUBLISH = 'Everyone reads the repository, and not everyone this board: say publish to link them'

/** Whether not everyone reads what a link has here. */
export async function isClosedHere(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  boardId: string | null,
): Promise<boolean> {
  const board = boardId === null ? undefined : await findBoard(db, boardId)
  return isPrivate(config) || (board !== undefined && isClosed(board))
}

export const nowOf = ({ dependencies: { clock } }: Pick<Syncing, 'dependencies'>): string => timestamp(clock.now())

export async function open(
  { dependencies, callActing }: Pick<Syncing, 'dependencies' | 'callActing'>,
  tracker: TrackerTable,
): Promise<Syncing> {
  const { secretFor, db } = dependencies
  const token = unseal(await secretFor(SEALING), tracker.token)
  const board = tracker.boardId === null ? undefined : (await findBoard(db, tracker.boardId))?.slug
  const there = kindOf(tracker).open(dependencies, { token, name: tracker.name })
  return { dependencies, callActing, tracker, there, key: await secretFor(MARKS), board }
}

interface CallAs {
  accountId: string
  operation: Operation
  input: Readonly<Record<string, unknown>>
  /** Stored with what the call makes, in its transaction. */
  keep?: (db: Transaction, output: never) => Promise<void>
}

/** The same may be tried again: what it is about changed in the meantime, or the server could not. */
const later: ReadonlySet<string> = new Set(['unavailable', 'internal'])

/** Calls an operation as an account: what it may is decided there. Undefined where it is refused. */
export async function callAs<Output>(
  { dependencies, callActing, tracker }: Syncing,
  { accountId, operation, input, keep }: CallAs,
): Promise<Output | undefined> {
  const now = timestamp(dependencies.clock.now())
  const account = await findCaller(dependencies.db, { id: accountId })
  if (!account) return undefined
  const acting = {
    caller: callerOf(account, { session: 'tracker' }),
    ...{
      blocked: account.blockedAt !== null,
      leaving: account.deletionAt !== null,
      sentAt: now,
      isOwnWrite: true as const,
    },
    take: async () => true,
    keep: async (db: Transaction, { body }: { body: string }) => void (await keep?.(db, parseJson<never>(body))),
  }
  const json = jsonInput(operation, input)
  const target = `/api${addressOf(operation, input)}`
  try {
    return (await callActing({ operation, target, json, address: networkOf(tracker.id) }, acting)) as Output
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { retryAfterSeconds } = error.details
    if (error.code === 'rate_limited') throw new Wait(after(now, retryAfterSeconds ?? 60), `Here: ${error.message}`)
    const isEdited = error.code === 'conflict' && input['seenEditedAt'] !== undefined
    if (isEdited || later.has(error.code)) throw error
    return undefined
  }
}
