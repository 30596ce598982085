// What agents may do here, as the operator rules: write, only suggest, or neither; by kind of act, and for accounts without a verified
// email. An agent is a caller with a token: what it writes is shown with `via`. Pure.
import { type WriteKind, writeKinds } from './bounds.ts'

const powers = ['off', 'suggest', 'write'] as const
export type AgentPower = (typeof powers)[number]

export interface AgentsRule {
  power: AgentPower
  /** Of agents whose account has no verified email. */
  unverified?: AgentPower
  kinds: Partial<Record<WriteKind, AgentPower>>
}

/** The syntax, for the error message of an invalid value. */
export const AGENTS_EXPECTED =
  'write, suggest or off, with exceptions such as suggest; comments: write; unverified: off'

const isPower = (text: string): text is AgentPower => powers.some((power) => power === text)
const isKind = (text: string): text is WriteKind => writeKinds.some((kind) => kind === text)

/** Undefined for an invalid value. */
export function parseAgents(text: string): AgentsRule | undefined {
  const [power = '', ...exceptions] = text.split(';').map((part) => part.trim())
  if (!isPower(power)) return undefined
  const rule: AgentsRule = { power, kinds: {} }
  for (const exception of exceptions.filter(Boolean)) {
    const [name = '', value = ''] = exception.split(':').map((part) => part.trim())
    if (!isPower(value)) return undefined
    if (name === 'unverified') rule.unverified = value
    else if (isKind(name) && name !== 'account') rule.kinds[name] = value
    else return undefined
  }
  return rule
}

/** What an agent may do of a kind. The settings of its own account are between it and its account. */
export function powerOf({ power, kinds, unverified }: AgentsRule, kind: WriteKind, isVerified: boolean): AgentPower {
  if (kind === 'account') return 'write'
  const ofKind = kinds[kind] ?? power
  if (isVerified || unverified === undefined) return ofKind
  return powers.indexOf(unverified) < powers.indexOf(ofKind) ? unverified : ofKind
}
