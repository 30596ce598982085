// What the classifier is sent, and what counts as an answer of it. Pure.
import { z } from 'zod'
import { machineHolds } from '../../contract/kinds.ts'
import { isStorable } from '../../contract/storable.ts'

/** For all of it: name, connection and answer. */
export const TIMEOUT_MILLISECONDS = 5_000
/** So much of an answer is read; a longer one is none. */
export const ANSWER_BYTES = 4_096
/** So many characters of a text are sent. */
export const TEXT_LENGTH = 20_000
/** About eight minutes with the pauses of jobs. */
export const MAX_ATTEMPTS = 10
/** What was given up is kept so long, for an operator who lets it run again. */
export const GIVEN_UP_SECONDS = 7 * 86_400

const Verdict = z.object({
  verdict: z.enum(['ok', ...machineHolds]),
  reason: z.string().max(200).refine(isStorable).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
})
export type Verdict = z.output<typeof Verdict>

/** The verdict in an answer; undefined where it is none. */
export function verdictIn(body: string): Verdict | undefined {
  try {
    return Verdict.parse(JSON.parse(body))
  } catch {
    return undefined
  }
}
