// Asks the machine of the operator, once for the same question: its answer is kept for a while.
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { answeredBy, type Calling, callMachine, type Machine } from './calling.ts'
import * as queries from './queries.ts'
import {
  ANSWER_TOKENS,
  answerIn,
  KEPT_SECONDS,
  type Message,
  RESPONSE_BYTES,
  TIMEOUT_MILLISECONDS,
  tokensOf,
} from './rules.ts'

export interface Answer {
  text: string
  madeBy: 'machine'
  model: string
  createdAt: string
  cached: boolean
}

type Asking = Calling & Pick<Context<Caller>, 'always'>

/**
 * Counts the call, and asks after that: nothing is open while the machine is waited for. A call that is only tried asks nothing, and has an
 * empty answer.
 */
export async function askAfter<Shown>(
  context: Context<Caller>,
  messages: readonly Message[],
  show: (answer: Answer) => Shown,
): Promise<Shown> {
  const { db, budget, config, now } = context
  const { ai } = config
  if (!ai) throw new Problem('not_found', 'There is nothing here')
  await db.transaction().execute((transaction) => budget.spend(transaction))
  let shown = show({ text: '', madeBy: 'machine', model: ai.model, createdAt: now, cached: false })
  await context.afterCommit(async () => {
    shown = show(await answer(context, ai, messages))
    return shown
  })
  return shown
}

async function answer(asking: Asking, ai: Machine, messages: readonly Message[]): Promise<Answer> {
  const { always: db, clock } = asking
  const now = timestamp(clock.now())
  const made = { madeBy: 'machine' as const, model: ai.model }
  const key = sha256(JSON.stringify([ai.url, ai.model, messages]))
  const kept = await queries.findAnswer(db, key, now)
  if (kept) return { ...kept, ...made, cached: true }
  const outcome = await callMachine({ ...asking, db }, ai, {
    url: ai.url,
    body: { model: ai.model, messages, max_tokens: ANSWER_TOKENS },
    tokens: tokensOf(messages),
    most: ai.dailyTokens,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: RESPONSE_BYTES,
    read: answerIn,
  })
  const text = answeredBy(outcome)
  await queries.upsertAnswer(db, { key, text, createdAt: now, expiresAt: after(now, KEPT_SECONDS) })
  return { text, createdAt: now, ...made, cached: false }
}
