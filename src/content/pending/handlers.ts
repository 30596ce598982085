// Pending acts: the agent and its account read them, the account decides. What it agrees to is made after that is committed.

import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { pageBefore } from '../../database/cursor.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { requirePerson } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { contentDisposition } from '../../storage/disposition.ts'
import type { PendingOf } from '../news/handlers.ts'
import { readNotificationsOf } from '../notifications/events.ts'
import { keyOf } from './asking.ts'
import { pendingActions, type pendingActs } from './contract.ts'
import type { Outcome } from './making.ts'
import * as queries from './queries.ts'
import { type KeptRequest, unsealKept } from './request.ts'
import { stateOf } from './rules.ts'
import {
  headIn,
  isOfPartOff,
  keptAgain,
  type OperationOf,
  shownAct,
  shownDetails,
  type ViewContext,
} from './showing.ts'
import { changedSince, hashOfShown, notAsShown, type TargetReader } from './targets.ts'

interface Options {
  operationOf: OperationOf
  reading: TargetReader
  /** Whether an account is one of the people of an item. */
  mayDecide(db: Db, caller: Caller, itemId: string): Promise<boolean>
  /** Makes an act that was agreed to. */
  make(id: string): Promise<Outcome>
}

const noSuchAct = () => new Problem('not_found', 'No such pending act')

/** Of a token, its grant; a session sees the acts of all. */
const grantOf = ({ via }: Caller) => ('session' in via ? undefined : (via.grantId ?? ''))

type Owning = Pick<Context<Caller>, 'db' | 'caller' | 'config' | 'secretFor'>

/** An act of the account, or of an item of which it is one of the people. An agent sees its own. */
async function getOwn(
  { db, caller, config, secretFor }: Owning,
  id: string,
  { mayDecide }: Pick<Options, 'mayDecide'>,
): Promise<queries.ActRow> {
  const act = await queries.findAct(db, id)
  const grantId = grantOf(caller)
  const isOwn = act?.userId === caller.id && (grantId === undefined || act.grantId === grantId)
  if (!act || !(isOwn || (act.itemId !== null && (await mayDecide(db, caller, act.itemId))))) throw noSuchAct()
  const { target } = await headIn({ secretFor }, act.title)
  if (isOfPartOff(config, { ...act, target })) throw noSuchAct()
  return act
}

type Listing = Pick<Context<Caller>, 'db' | 'secretFor' | 'config'>

/** As many acts as a page has, of parts that are on. What one is about is sealed, so it is known once the row is read. */
async function listOn({ db, secretFor, config }: Listing, wanted: queries.ActQuery): Promise<queries.ActSummary[]> {
  const { limit } = wanted
  const kept: queries.ActSummary[] = []
  for (let { before } = wanted; ; ) {
    const rows = await queries.listActs(db, { ...wanted, before })
    const heads = await Promise.all(rows.map(({ title }) => headIn({ secretFor }, title)))
    kept.push(...rows.filter((act, at) => !isOfPartOff(config, { ...act, target: heads[at]?.target ?? null })))
    before = rows.at(-1)?.id
    if (rows.length < limit || kept.length >= limit) return kept.slice(0, limit)
  }
}

export const pendingHandlers = (options: Options): Handlers<typeof pendingActs> => {
  const { operationOf, mayDecide } = options
  const showing = ({ secretFor, config, now }: Context<Caller>): ViewContext => ({
    ...{ secretFor, config, now, operationOf },
  })
  return {
    async list(context, { state, item: itemId, ...request }) {
      const { db, caller, now } = context
      if (itemId !== undefined && !(await mayDecide(db, caller, itemId))) throw new Problem('not_found', 'No such item')
      const own = itemId === undefined ? { userId: caller.id, grantId: grantOf(caller) } : { itemId }
      const wanted = { ...own, waiting: state === 'waiting' }
      const { items: acts, ...page } = await pageBefore(request, ['pending acts', wanted], (range) =>
        listOn(context, { ...wanted, ...range, now }),
      )
      return { items: await Promise.all(acts.map((act) => shownAct(showing(context), act))), ...page }
    },

    async get(context, { id }) {
      const act = await getOwn(context, id, options)
      return shownDetails(showing(context), act, await queries.listActFiles(context.db, id))
    },

    async file(context, { id, fileId }) {
      await getOwn(context, id, options)
      const file = (await queries.listActFiles(context.db, id)).find((one) => one.id === fileId)
      const stored = file && (await context.blobs.objects.get(keyOf(file)))
      if (!stored) throw new Problem('not_found', 'There is no such file')
      return {
        contentType: 'application/octet-stream',
        size: file.size,
        tag: file.sha256,
        headers: { 'Content-Disposition': contentDisposition('attachment', file.filename) },
        source: { bytes: stored.bytes },
      }
    },

    async approve(context, { id, seen }) {
      const shown = async () => shownAct(showing(context), await getOwn(context, id, options))
      await approve(context, { id, seen }, { ...options, shown })
      return shown()
    },

    async refuse(context, { id, reason }) {
      await end(context, id, { ...options, to: 'refused', reason: reason || null })
      return shownAct(showing(context), await getOwn(context, id, options))
    },

    async withdraw(context, { id }) {
      const { userId } = await getOwn(context, id, options)
      // The people of an item decide on it; they have not sent it.
      if (userId !== context.caller.id) throw noSuchAct()
      await end(context, id, { ...options, to: 'withdrawn', reason: null })
      return shownAct(showing(context), await getOwn(context, id, options))
    },
  }
}

interface Ending extends Pick<Options, 'mayDecide'> {
  to: 'refused' | 'withdrawn'
  reason: string | null
}

/** Ends an act that waits, with its files: it is not made. */
async function end(context: Context<Caller>, id: string, { to, reason, mayDecide }: Ending): Promise<void> {
  await decide(context, id, {
    mayDecide,
    action: to === 'refused' ? pendingActions.refuse : pendingActions.withdraw,
    async change(db) {
      await queries.deleteActFiles(db, id)
      return queries.stepAct(db, { id, to }, { decidedAt: context.now, reason })
    },
  })
  await readAsked(context, id)
}

/** Makes what waits. Throws `conflict` where it is not as the account was shown it, or does not wait. */
async function approve(
  context: Context<Caller>,
  { id, seen }: { id: string; seen: string | undefined },
  { make, shown, ...options }: Options & { shown(): Promise<object> },
): Promise<void> {
  const request = await requireAsShown(context, { id, seen }, options)
  await decide(context, id, {
    ...options,
    action: pendingActions.approve,
    async change(db, act) {
      // Another approval has found in the meantime that it has changed.
      if (act.request !== request) throw notAsShown()
      if (act.itemId !== null) await requirePerson(context, db)
      const deciderId = act.itemId === null ? null : context.caller.id
      return queries.stepAct(db, { id, to: 'approved' }, { decidedAt: context.now, deciderId })
    },
  })
  await context.afterCommit(async () => {
    if ((await make(id)) === 'asked again') throw notAsShown()
    await readAsked(context, id)
    return shown()
  })
}

/**
 * Refuses an approval of what is not as the account was shown it: the thing has changed, or another page was looked at. What it is about is
 * kept as it is now, so that the account is asked about that. It is compared again in the transaction of the write (making.ts). Gives what
 * is kept of the request.
 */
async function requireAsShown(
  context: Context<Caller>,
  { id, seen }: { id: string; seen: string | undefined },
  { operationOf, reading, mayDecide }: Omit<Options, 'make'>,
): Promise<string> {
  const { caller, now, secretFor } = context
  const act = await getOwn(context, id, { mayDecide })
  const operation = operationOf(act.operation)
  const request = await unsealKept<KeptRequest>(secretFor, act.request)
  if (stateOf(act, now) !== 'waiting' || !operation || !request) return act.request
  const current = await changedSince(reading, operation, { request, caller, now })
  if (current) {
    const kept = await keptAgain(secretFor, current)
    await context.apart.transaction().execute((other) => queries.updateWaiting(other, id, kept))
  }
  if (current || (seen !== undefined && seen !== hashOfShown(request))) throw notAsShown()
  return act.request
}

/** Changes an act that waits, under its lock, and writes that to the audit log. `change` gives whether it could. */
async function decide(
  context: Context<Caller>,
  id: string,
  {
    action,
    change,
    mayDecide,
  }: Pick<Options, 'mayDecide'> & {
    action: AuditAction
    change(db: Transaction, act: queries.ActRow): Promise<boolean>
  },
): Promise<void> {
  const { db, caller, now, address } = context
  await db.transaction().execute(async (transaction) => {
    await queries.lockAct(transaction, id)
    const act = await getOwn({ ...context, db: transaction }, id, { mayDecide })
    const state = stateOf(act, now)
    if (state !== 'waiting' || !(await change(transaction, act))) {
      throw new Problem('conflict', `This does not wait any more: it is ${state}`)
    }
    const detail = { operation: act.operation, clientId: act.clientId }
    await record(transaction, now, { action, actorId: caller.id, targetId: id, detail, address })
  })
}

/** The notification of what is decided is read. */
async function readAsked({ apart, caller }: Context<Caller>, id: string): Promise<void> {
  await apart.transaction().execute((other) => readNotificationsOf(other, caller.id, id))
}

/** What waits for the account, as its news shows it; an agent has none of its own there. */
export const pendingApprovals =
  (operationOf: OperationOf): PendingOf =>
  async ({ db, caller, now, secretFor, config }) => {
    if (!('session' in caller.via)) return []
    const wanted = { userId: caller.id, waiting: true, before: undefined, now, limit: 20 }
    const rows = await listOn({ db, secretFor, config }, wanted)
    const shown = rows.map(async ({ id, operation, title: sealed, createdAt }) => {
      const { target } = await headIn({ secretFor }, sealed)
      const title = operationOf(operation)?.summary ?? operation
      return { type: 'approval', id, title, operation, target, by: null, createdAt }
    })
    return Promise.all(shown)
  }
