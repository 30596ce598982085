// Suggestions: agents make them, people decide them.
import { record } from '../../audit/audit.ts'
import { requirePower } from '../../contract/bounds.ts'
import { writerIn } from '../../contract/hand-on.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { requirePowerIn } from '../board-access/boards.ts'
import { recordDecided } from '../notifications/thread-events.ts'
import { writtenBy } from '../via.ts'
import { type Accepting, acceptSuggestion, doesNotWait, getDecidable, NoSuchSuggestion } from './accepting.ts'
import { suggestionActions, type suggestions } from './contract.ts'
import * as queries from './queries.ts'
import { findSuggestible, keptInput, MAX_WAITING } from './rules.ts'
import { findOpenThing, shownSuggestions } from './showing.ts'

export const suggestionHandlers = (accepting: Accepting): Handlers<typeof suggestions> => ({
  async list(context, { targetId, authorId, state, ...request }) {
    const filters = { targetId, authorId, state }
    const list = { list: ['suggestions', filters], by: { id: '' } }
    const { items, ...page } = await pageOfRows(request, list, (range) =>
      queries.listSuggestions(context.db, filters, range),
    )
    return { items: await shownSuggestions(context, accepting, items), ...page }
  },

  create: (context, given) => createSuggestion(context, accepting, given),

  async accept(context, { ids }) {
    const made = { items: await statesOf(context, ids) }
    await context.afterCommit(async () => {
      made.items = await eachOf(context, ids, (id) => acceptSuggestion(context, accepting, id))
      return made
    })
    return made
  },

  async refuse(context, { ids, reason }) {
    return { items: await eachOf(context, ids, (id) => refuseSuggestion(context, accepting, { id, reason })) }
  },

  async withdraw({ db, caller }, { id }) {
    const row = await queries.findSuggestion(db, id)
    if (row?.authorId !== caller.id) throw new NoSuchSuggestion()
    const isDone = await db
      .transaction()
      .execute((transaction) => queries.stepSuggestion(transaction, { id, to: 'withdrawn' }, {}))
    if (!isDone) throw doesNotWait((await queries.findSuggestion(db, id))?.state ?? 'gone')
    return { id, state: 'withdrawn' }
  },
})

interface NewSuggestion {
  operation: string
  input: Record<string, unknown>
  reason: string
  confidence: number
}

async function createSuggestion(
  context: Context<Caller>,
  accepting: Accepting,
  { operation, input: given, reason, confidence }: NewSuggestion,
) {
  const { db, caller, config, now, budget } = context
  const known = findSuggestible(accepting.suggestible, config, operation)
  if (!known) {
    const names = [...accepting.suggestible.keys()].filter((name) =>
      findSuggestible(accepting.suggestible, config, name),
    )
    throw new Problem('invalid_request', `operation: must be one of ${names.join(', ')}`)
  }
  requirePower(config.agents, caller, { kind: required(known.operation.kind), wanted: 'suggest' })
  const kept = keptInput(known, given, reason)
  const { targetType, targetId } = { targetType: known.targetType, targetId: String(kept['id']) }
  const input = JSON.stringify(kept)
  const id = newId()
  await db.transaction().execute(async (transaction) => {
    await budget.spend(transaction)
    // Two at once are counted one after the other.
    await accepting.hidings.get(targetType)?.lock(transaction, targetId)
    const thing = await findOpenThing(transaction, accepting.hidings, { type: targetType, id: targetId })
    if (!thing) throw new Problem('not_found', 'There is no such thing')
    const kind = required(known.operation.kind)
    await requirePowerIn(transaction, { caller, kind, wanted: 'suggest', input: kept, isPlaced: false })
    const waiting = await queries.listWaiting(transaction, targetId)
    if (waiting.some((one) => one.authorId === caller.id && one.operation === operation && one.input === input)) {
      throw new Problem('conflict', 'You have suggested this already')
    }
    if (waiting.length >= MAX_WAITING) {
      throw new Problem('conflict', `${MAX_WAITING} suggestions of it wait, and there can be no more`)
    }
    await queries.insertSuggestion(transaction, {
      ...{ id, targetType, targetId, operation, input, reason, confidence: Math.round(confidence * 100) },
      ...{ state: 'waiting', authorId: caller.id, ...writtenBy(caller), createdAt: now },
      ...{ decidedById: null, decidedAt: null, decision: null },
    })
  })
  const row = required(await queries.findSuggestion(db, id))
  return required((await shownSuggestions(context, accepting, [row]))[0])
}

/** Refuses a suggestion. Throws a Problem where the caller may not, or where it does not wait. */
async function refuseSuggestion(
  context: Context<Caller>,
  accepting: Accepting,
  { id, reason }: { id: string; reason: string | null },
): Promise<void> {
  const { caller, config, now, address } = context
  await context.db.transaction().execute(async (db) => {
    const { row } = await getDecidable({ db, caller, config }, accepting, id)
    const decision = { decidedById: caller.id, decidedAt: now, decision: reason }
    if (!(await queries.stepSuggestion(db, { id, to: 'refused' }, decision))) throw doesNotWait('decided')
    const detail = {
      operation: row.operation,
      suggestedBy: row.authorId,
      clientId: row.viaClientId && writerIn(row.viaClientId).clientId,
    }
    const act = { action: suggestionActions.refuse, actorId: caller.id, targetId: id, reason, detail, address }
    await record(db, now, act)
    const { targetType: type, targetId } = row
    const told = { to: row.authorId, change: 'suggestion_refused', reason } as const
    await recordDecided(db, { by: caller.id, now, on: { type, id: targetId } }, told)
  })
}

type Decided = Awaited<ReturnType<Handlers<typeof suggestions>['accept']>>['items']

const statesOf = async ({ db }: Context<Caller>, ids: readonly string[]): Promise<Decided> =>
  Promise.all(
    ids.map(async (id) => ({ id, state: (await queries.findSuggestion(db, id))?.state ?? null, error: null })),
  )

/** Does something with each, one after the other. A Problem of one does not stop the others. */
async function eachOf(
  context: Context<Caller>,
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<Decided> {
  const errors = new Map<string, string>()
  const known = new Set<string>()
  for (const id of new Set(ids)) {
    try {
      await work(id)
      known.add(id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (!(error instanceof NoSuchSuggestion)) known.add(id)
      errors.set(id, error.message)
    }
  }
  const states = await statesOf(context, [...new Set(ids)])
  return states.map(({ id, state }) => ({
    ...{ id, state: known.has(id) ? state : null, error: errors.get(id) ?? null },
  }))
}
