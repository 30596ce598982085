// What agents may do here, as the operator rules: write, only suggest, or neither; by kind of act, for accounts without a verified email,
// and by the trust in them. An agent is a caller with a token: what it writes is shown with `via`. A suggestion is ruled by the kind of what it suggests. Pure.

import { type WriteKind, writeKinds } from './bounds.ts'
import { Problem } from './problem.ts'
import { type TrustLevel, trustLevels } from './trust.ts'
import { isByAgent } from './widget.ts'

const powers = ['off', 'suggest', 'write'] as const
export type AgentPower = (typeof powers)[number]

export interface AgentsRule {
  power: AgentPower
  /** Of agents whose account has no verified email. */
  unverified?: AgentPower
  /** Agents of accounts below this level of trust suggest at most. */
  trust?: TrustLevel
  kinds: Partial<Record<WriteKind, AgentPower>>
}

/** The syntax, for the error message of an invalid value. */
export const AGENTS_EXPECTED =
  'write, suggest or off, with exceptions such as suggest; comments: write; unverified: off; trust: 2'

const isPower = (text: string): text is AgentPower => powers.some((power) => power === text)
const isKind = (text: string): text is WriteKind => writeKinds.some((kind) => kind === text)

/** Undefined for an invalid value. */
export function parseAgents(text: string): AgentsRule | undefined {
  const [power = '', ...exceptions] = text.split(';').map((part) => part.trim())
  if (!isPower(power)) return undefined
  const rule: AgentsRule = { power, kinds: {} }
  for (const exception of exceptions.filter(Boolean)) {
    const [name = '', value = ''] = exception.split(':').map((part) => part.trim())
    if (name === 'trust') {
      const level = trustLevels.find((one) => one > 0 && String(one) === value)
      if (level === undefined) return undefined
      rule.trust = level
      continue
    }
    if (!isPower(value)) return undefined
    if (name === 'unverified') rule.unverified = value
    else if (isKind(name) && name !== 'account') rule.kinds[name] = value
    else return undefined
  }
  return rule
}

interface Writer {
  verified: boolean
  /** Its level. */
  trust?: number | undefined
  via: object
}

/** Throws where the caller is an agent that may not do so much of a kind: write, or suggest. */
export function requirePower(
  rule: AgentsRule,
  writer: Writer,
  { kind, wanted }: { kind: WriteKind; wanted: 'write' | 'suggest' },
): void {
  if (!isByAgent(writer.via)) return
  const power = powerOf(rule, kind, writer)
  if (powers.indexOf(power) >= powers.indexOf(wanted)) return
  const sentence =
    power === 'suggest' ? 'Agents may only suggest here: POST /api/community/suggestions' : 'Agents may not write here'
  throw new Problem('forbidden', sentence)
}

/** What an agent may do of a kind. The settings of its own account are between it and its account. */
function powerOf({ power, kinds, ...rule }: AgentsRule, kind: WriteKind, writer: Writer): AgentPower {
  if (kind === 'account') return 'write'
  const ofAccount = writer.verified ? undefined : rule.unverified
  const ofTrust: AgentPower | undefined =
    rule.trust !== undefined && (writer.trust ?? 0) < rule.trust ? 'suggest' : undefined
  return [ofAccount, ofTrust].reduce<AgentPower>(least, kinds[kind] ?? power)
}

const least = (power: AgentPower, other: AgentPower | undefined): AgentPower =>
  other !== undefined && powers.indexOf(other) < powers.indexOf(power) ? other : power
