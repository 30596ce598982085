// Keeps a write that needs a yes: what was sent, what the dry run said, and its files. The account hears of it in the same transaction.
import { readFile } from 'node:fs/promises'
import { countAll } from '../../budgets/counting.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, PendingFileTable, Transaction } from '../../database/schema.ts'
import { lockUser } from '../../identity/account-queries.ts'
import { lockGrant, updateGrantUse } from '../../identity/grant-queries.ts'
import type { WaitingWrite } from '../../request/acting.ts'
import type { Context, Dependencies } from '../../request/handler.ts'
import type { KeptAnswer } from '../../request/idempotency.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { recordAsked } from '../notifications/events.ts'
import { onlyDeclared } from './fields.ts'
import * as queries from './queries.ts'
import { type KeptRequest, sealAnswer, sealKept } from './request.ts'
import {
  ASKED_RATE,
  LISTED_SECONDS,
  MAX_KEPT,
  MAX_WAITING,
  RETRY_AFTER_SECONDS,
  stateOf,
  WAITING_SECONDS,
} from './rules.ts'
import { headOf, type OperationOf, shownAct } from './showing.ts'
import { readTarget, type TargetReader } from './targets.ts'

/** The folder of stored objects; stored.ts has the column that names them. */
export const FILES_FOLDER = 'pending-files'

const WAITS =
  'This is not done yet: it waits for the yes of the account. Do not send it again; read this pending act, and do something else until then.'

type AskContext = Pick<Context, 'db' | 'blobs'>
/** What is to be known of the people of items. */
export interface Deciders {
  /** The owners and maintainers of an item. */
  decidersOf(db: Db, itemId: string): Promise<readonly string[]>
}

type AskDependencies = Pick<Dependencies, 'secretFor' | 'config'> &
  Deciders & { operationOf: OperationOf; reading: TargetReader }

/**
 * The answer 202 to a write that waits from now on, with the pending act. Throws `rate_limited` when too many wait, and `outside_bounds`
 * when the access of the agent has ended.
 */
export async function askFirst(asking: AskDependencies, on: AskContext, write: WaitingWrite): Promise<KeptAnswer> {
  const { caller, now } = write
  const id = newId()
  const files = await storeFiles(on, id, write)
  const { row, about } = await rowOf(asking, write)
  const act = { ...row, id }
  await on.db
    .transaction()
    .execute(async (db) => {
      const clientName = await requireRoom(asking, db, { ...write, size: act.size })
      await queries.insertAct(db, { ...act, clientName }, files)
      const { operation } = write
      const title = asking.operationOf(operation)?.summary ?? operation
      const asked = { agent: clientName ?? act.clientId, operation, about }
      const others = write.itemId === undefined ? [] : await asking.decidersOf(db, write.itemId)
      for (const to of new Set([caller.id, ...others])) await recordAsked(db, { id, to, now, title, ...asked })
    })
    .catch(async (error: unknown) => {
      for (const file of files) await on.blobs.objects.delete(keyOf(file))
      throw error
    })
  const stored = await queries.findAct(on.db, id)
  const shown = stored && (await shownAct({ ...asking, now }, stored))
  return {
    status: 202,
    body: JSON.stringify({ ...shown, message: WAITS }),
    headers: [
      ['Location', `${asking.config.baseUrl}/api/account/pending-acts/${id}`],
      ['Retry-After', String(RETRY_AFTER_SECONDS)],
    ],
  }
}

export const keyOf = ({ id }: Pick<PendingFileTable, 'id'>): string => `${FILES_FOLDER}/${id}`

/** The bytes first: a row names only what is stored, and what no row names is swept. */
async function storeFiles(
  { blobs }: AskContext,
  actId: string,
  { caller, body }: WaitingWrite,
): Promise<PendingFileTable[]> {
  const rows = body.files.map(({ path: _, ...file }) => ({ ...file, id: newId(), actId, userId: caller.id }))
  for (const [index, { path }] of body.files.entries()) {
    const row = rows[index]
    if (row) await blobs.objects.put(keyOf(row), await readFile(path), 'application/octet-stream')
  }
  return rows
}

/** The act as it is stored, and the page of what it is about. */
async function rowOf(
  { secretFor, operationOf, reading }: AskDependencies,
  { caller, now, operation, preview, body, ...write }: WaitingWrite,
) {
  if (!('grantId' in caller.via)) throw new Error('A write in a browser does not wait for a yes')
  const { grantId, clientId, scopes, handedOn } = caller.via
  if (grantId === null) throw hasEnded()
  const { method, target, address } = write
  const declared = operationOf(operation)
  if (!declared) throw new Error(`There is no operation ${operation}`)
  const sent = onlyDeclared({ method, target, address, json: body.json, fields: body.fields }, declared)
  const about = await readTarget(reading, declared, { request: sent, caller, now })
  const request: KeptRequest = { ...sent, about }
  const kept = { request: await sealKept(secretFor, request), preview: await sealAnswer(secretFor, preview) }
  const row = {
    ...{ userId: caller.id, grantId, clientId, operation, scope: scopes.join(' '), state: 'waiting' as const },
    ...{ ...kept, size: kept.request.length + kept.preview.length },
    title: await sealKept(secretFor, headOf(request)),
    helpers: handedOn ? JSON.stringify(handedOn.helpers) : null,
    ...{
      itemId: write.itemId ?? null,
      answer: null,
      reason: null,
      createdAt: now,
      expiresAt: after(now, WAITING_SECONDS),
      decidedAt: null,
    },
  }
  return { row, about: about?.url ?? undefined }
}

const hasEnded = () =>
  new Problem('outside_bounds', 'This needs a yes of the account, and its access for you has ended')

interface RoomNeed extends Pick<WaitingWrite, 'caller' | 'now' | 'itemId'> {
  size: number
}

/** Locks the account and the grant, and gives the name of the agent. */
async function requireRoom(
  { config }: AskDependencies,
  db: Transaction,
  { caller, now, size, itemId }: RoomNeed,
): Promise<string | null> {
  await lockUser(db, { id: caller.id })
  const grantId = ('grantId' in caller.via && caller.via.grantId) || ''
  const grant = await lockGrant(db, { id: grantId })
  const its = { grantExpiresAt: grant?.expiresAt ?? null, grantBounds: grant?.bounds ?? null }
  if (!grant || stateOf({ state: 'waiting', expiresAt: after(now, 1), ...its }, now) !== 'waiting') throw hasEnded()
  await requireFewWaiting(db, { grantId, itemId }, now)
  // A run of a CI is over long before its version is agreed to.
  if (itemId !== undefined) await updateGrantUse(db, grantId, { now, expiresAt: after(now, WAITING_SECONDS) })
  if ((await queries.sumKept(db, caller.id)) + size > MAX_KEPT) {
    const sentence = 'What is kept of the writes that asked for a yes is too much; it goes 30 days after they expire'
    throw new Problem('rate_limited', sentence, { retryAfterSeconds: LISTED_SECONDS })
  }
  if (config.rateLimits) {
    const counter = {
      ...{ key: `pending-acts:account:${ASKED_RATE.windowSeconds}:${caller.id}`, policy: 'pending-acts-hour' },
      ...{ rate: ASKED_RATE, sentence: () => `At most ${ASKED_RATE.count} writes an hour can ask for a yes` },
    }
    await countAll(db, [counter], now)
  }
  return grant.clientName
}

async function requireFewWaiting(
  db: Transaction,
  { grantId, itemId }: { grantId: string; itemId: string | undefined },
  now: string,
): Promise<void> {
  const ofItem = itemId === undefined ? 0 : await queries.countWaiting(db, { itemId }, now)
  if (Math.max(ofItem, await queries.countWaiting(db, { grantId }, now)) < MAX_WAITING) return
  const sentence = `${MAX_WAITING} writes wait for a yes already`
  throw new Problem('rate_limited', sentence, { retryAfterSeconds: ASKED_RATE.windowSeconds })
}
