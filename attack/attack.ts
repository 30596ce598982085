// What an attack is: data with a name, the clause it tries, what it needs, and a function that says what it saw.
import { GuildhallError, SignInEndedError } from '../client/src/main-node.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'
import { GaveWay, type Need } from './verdict.ts'

export { GaveWay, type Need, needs, Skipped } from './verdict.ts'

export interface Attack {
  /** What is tried, as a sentence. */
  name: string
  /** Where the rule is written: a number of the threat list in SECURITY.md, or a subject. */
  clause: string
  needs?: readonly Need[]
  /** With the limits of an ordinary server, told apart by network; without it they are off. */
  limited?: true
  /** Resolves with what was seen when the server held; throws `GaveWay` when it did not. */
  run(target: Target): Promise<string>
}

/** Fails the server when `condition` does not hold. */
export function hold(condition: unknown, evidence: string): asserts condition {
  if (!condition) throw new GaveWay(evidence)
}

const short = (text: string, length: number) =>
  (text.length > length ? `${text.slice(0, length)}...` : text).replace(/\s+/g, ' ')

/** An answer in one line. */
export const shown = ({ status, text }: Reply): string => `${status} ${short(text, 120)}`

/** Fails the server unless the answer has one of these statuses. */
export function holdStatus(reply: Reply, statuses: readonly number[], what: string): string {
  hold(statuses.includes(reply.status), `${what}: ${shown(reply)}`)
  return `${what}: ${reply.status}`
}

/** The refusal of a call by the client; undefined where it was answered. */
export async function refusalOf(call: Promise<unknown>): Promise<GuildhallError | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const refusal = error instanceof SignInEndedError ? error.cause : error
    if (refusal instanceof GuildhallError) return refusal
    throw error
  }
}

/** Fails the server unless it refuses the call with one of these statuses. */
export async function holdRefused(call: Promise<unknown>, statuses: readonly number[], what: string): Promise<void> {
  const refusal = await refusalOf(call)
  hold(refusal && statuses.includes(refusal.status), `${what}: ${refusal ? shownRefusal(refusal) : 'it is answered'}`)
}

/** A refusal in one line. */
export const shownRefusal = ({ status, message }: GuildhallError): string => `${status} ${short(message, 120)}`

/** What became of calls that are sent at once. */
export async function atOnce<Answer>(count: number, call: (n: number) => Promise<Answer>) {
  const answers: Answer[] = []
  const keep = async (n: number) => void answers.push(await call(n))
  const refusals = await Promise.all(Array.from({ length: count }, (_, n) => refusalOf(keep(n))))
  return { answers, refusals: refusals.filter((refusal) => refusal !== undefined) }
}

/** Tries each of several variants, and names those that gave way. */
export async function holdEach<Variant>(
  variants: readonly Variant[],
  name: (variant: Variant) => string,
  attempt: (variant: Variant) => Promise<unknown>,
): Promise<string> {
  const gaveWay: string[] = []
  for (const variant of variants) {
    try {
      await attempt(variant)
    } catch (error) {
      if (!(error instanceof GaveWay)) throw error
      gaveWay.push(`${short(JSON.stringify(name(variant)), 70)}: ${error.message}`)
    }
  }
  const more = gaveWay.length > 3 ? `; and ${gaveWay.length - 3} more` : ''
  hold(gaveWay.length === 0, `${gaveWay.slice(0, 3).join('; ')}${more}`)
  return `${variants.length} variants`
}
