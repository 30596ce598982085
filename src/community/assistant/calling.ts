// One request to the machine of the operator. Its tokens are taken from those of the day before it is sent, so that no race uses up more. What
// the machine may have charged for stays counted: only what it refused, or never got, is given back (behaviour.md, section 5).
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { type GuardedResponse, reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { addTokens, takeTokens } from './queries.ts'
import { wasNeverSent } from './rules.ts'

export type Calling = Pick<Dependencies, 'clock' | 'config' | 'reach' | 'log'>
export type Machine = NonNullable<Dependencies['config']['ai']>

/** What a response says, as far as it can be read. */
export interface MachineAnswer<Value> {
  value: Value | undefined
  /** What it says that it used up. */
  tokens: number | undefined
}

export interface Question<Value> {
  url: string
  body: object
  /** What it uses up at most. */
  tokens: number
  /** It is not asked where the day has fewer left of so many. */
  most: number
  timeoutMilliseconds: number
  maxBytes: number
  read(body: string): MachineAnswer<Value>
}

/** What the machine answered, or the status with which it refused. */
export type Outcome<Value> = { value: Value } | { refusedWith: number }

const unavailable = () => new Problem('unavailable', 'The machine does not answer right now')

/** Throws `rate_limited` where the day has too few tokens left, and `unavailable` where there is no answer that can be read. */
export async function callMachine<Value>(
  calling: Calling & { db: Db },
  ai: Machine,
  question: Question<Value>,
): Promise<Outcome<Value>> {
  const { db, clock, log } = calling
  const { tokens, most } = question
  const day = timestamp(clock.now()).slice(0, 10)
  if (!(await takeTokens(db, { day, tokens, most }))) {
    throw new Problem('rate_limited', 'The machine has answered as much as it may today; ask again tomorrow', {
      retryAfterSeconds: 3_600,
    })
  }
  let used = tokens
  try {
    const { status, body, isCut } = await send(calling, ai, question).catch((err: unknown) => {
      if (wasNeverSent(err)) used = 0
      log.warn({ err }, 'AI_URL does not answer')
      throw unavailable()
    })
    if (status !== 200) {
      used = 0
      log.warn({ status }, 'AI_URL refuses a request')
      return { refusedWith: status }
    }
    const said: MachineAnswer<Value> = isCut ? { value: undefined, tokens } : question.read(body.toString('utf8'))
    used = said.tokens ?? tokens
    if (said.value !== undefined) return { value: said.value }
    log.warn({ status }, 'AI_URL gave no answer that can be read')
    throw unavailable()
  } finally {
    if (used !== tokens) await addTokens(db, { day, tokens: used - tokens })
  }
}

/** For jobs: that the machine refuses, with its status. */
export const refusal = (status: number): Error => new Error(`AI_URL refuses with status ${status}`)

/** Throws `unavailable` for a refusal. */
export function answeredBy<Value>(outcome: Outcome<Value>): Value {
  if ('value' in outcome) return outcome.value
  throw unavailable()
}

function send({ config, reach }: Calling, ai: Machine, question: Question<unknown>): Promise<GuardedResponse> {
  const url = new URL(question.url)
  const { timeoutMilliseconds, maxBytes } = question
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(ai.key && { Authorization: `Bearer ${ai.key}` }) },
    body: JSON.stringify(question.body),
    timeoutMilliseconds,
    maxBytes,
  } as const
  return sendGuarded(url, request, reachOf(url, config.privateServices, reach))
}
