// What an attack is: data with a name, the clause it tries, what it needs, and a function that says what it saw.
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

/** What not every target has, with the sentence that is said where it is missing. */
export const needs = {
  accounts: 'needs an account that it may use freely (--email and --password)',
  newcomers: 'makes several accounts; only against a server of its own',
  mail: 'reads mails from the data folder; only against a server of its own',
  roles: 'needs a moderator and an admin; only against a server of its own',
  files: 'reads the data folder or the database; only against a server of its own',
  process: 'watches the process; only against a server of its own',
  load: 'sends much on purpose; give --harmful to try it',
  networks: 'comes from many networks; only against a server of its own',
} as const
export type Need = keyof typeof needs

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

/** The attack succeeded. The message is the evidence. */
export class GaveWay extends Error {
  constructor(evidence: string) {
    super(evidence)
    this.name = 'GaveWay'
  }
}

/** The attack cannot be tried here; the message says why. */
export class Skipped extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Skipped'
  }
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
