// Accepting a suggestion: its operation is called as the person who accepts, and an answer as its agent. The suggestion changes in the
// transaction of that write, so that it is made once.
import { record } from '../../audit/audit.ts'
import { addressOf, jsonInput } from '../../contract/addresses.ts'
import { writerIn } from '../../contract/hand-on.ts'
import { Problem } from '../../contract/problem.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { Approval, CallActing } from '../../request/acting.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { recordDecided } from '../notifications/thread-events.ts'
import { suggestionActions } from './contract.ts'
import * as queries from './queries.ts'
import { findSuggestible, mayDecide, type Suggestible } from './rules.ts'
import { findOpenThing, type Suggesting } from './showing.ts'

export interface Accepting extends Suggesting {
  callActing: CallActing
}

/** There is none, or not everyone sees its thing. */
export class NoSuchSuggestion extends Problem {
  constructor() {
    super('not_found', 'No such suggestion')
  }
}

/** A suggestion that waits and that the caller may decide. Throws a Problem otherwise. */
export async function getDecidable(
  { db, caller, config }: Pick<Context<Caller>, 'db' | 'caller' | 'config'>,
  { suggestible, hidings }: Suggesting,
  id: string,
): Promise<{ row: queries.SuggestionRow; known: Suggestible }> {
  const row = await queries.findSuggestion(db, id)
  const known = row && findSuggestible(suggestible, config, row.operation)
  const thing = row && (await findOpenThing(db, hidings, { type: row.targetType, id: row.targetId }))
  if (!row || !known || !thing) throw new NoSuchSuggestion()
  if (!mayDecide(caller, known, thing)) throw new Problem('forbidden', 'Forbidden')
  if (row.state !== 'waiting') throw doesNotWait(row.state)
  return { row, known }
}

export const doesNotWait = (state: string) => new Problem('conflict', `This does not wait any more: it is ${state}`)

/** Makes what is suggested. Throws a Problem where it cannot be made. */
export async function acceptSuggestion(context: Context<Caller>, accepting: Accepting, id: string): Promise<void> {
  const { address } = context
  const { row, known } = await getDecidable(context, accepting, id)
  const { operation } = known
  const input = parseJson<Record<string, unknown>>(row.input)
  const target = `/api${addressOf(operation, input)}`
  const caller = operation.suggests === 'agent' ? await agentOf(context, row) : context.caller
  const call = { operation, target, json: jsonInput(operation, input), address }
  await accepting.callActing(call, approvalOf(context, { row, caller }))
}

/** The agent as it is now. Throws `conflict` where its account is gone or blocked. */
async function agentOf({ db }: Context<Caller>, row: queries.SuggestionRow): Promise<Caller> {
  const account = await findCaller(db, { id: row.authorId })
  if (!account || account.blockedAt !== null || account.deletionAt !== null) {
    throw new Problem('conflict', 'Its author cannot write any more')
  }
  // A person may suggest too.
  if (row.viaClientId === null) return callerOf(account, { session: '' })
  const { clientId, helpers } = writerIn(row.viaClientId)
  const handedOn = helpers.length > 0 ? { helpers, grantBounds: undefined, tokenHash: '' } : undefined
  return callerOf(account, { scopes: ['community:write'], clientId, grantId: null, handedOn })
}

function approvalOf(
  { caller: decider, now, address }: Context<Caller>,
  { row, caller }: { row: queries.SuggestionRow; caller: Caller },
): Approval {
  const { id, operation, authorId, viaClientId } = row
  return {
    ...{ caller, blocked: false, leaving: false, sentAt: now },
    async take(db) {
      const decision = { decidedById: decider.id, decidedAt: now }
      if (!(await queries.stepSuggestion(db, { id, to: 'accepted' }, decision))) return false
      const detail = { operation, suggestedBy: authorId, clientId: viaClientId && writerIn(viaClientId).clientId }
      const act = { action: suggestionActions.accept, actorId: decider.id, targetId: id, detail, address }
      await record(db, now, act)
      const on = { type: row.targetType, id: row.targetId }
      await recordDecided(
        db,
        { by: decider.id, now, on },
        { to: authorId, change: 'suggestion_accepted', reason: null },
      )
      return true
    },
    keep: async () => undefined,
  }
}
