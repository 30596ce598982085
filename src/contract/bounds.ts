// The bounds of a grant: what an account lets one of its agents do at most, below what the token's scopes allow. Clients ask for them
// by `authorization_details` (RFC 9396), people choose them where they decide, and change them later (behaviour.md, section 5). And what the
// operator lets all agents do.
import { z } from 'zod'
import { isByAgent } from './own-clients.ts'
import { Problem } from './problem.ts'
import { keysOf } from './records.ts'
import { type TrustLevel, trustLevels } from './trust.ts'

/** Kinds of things that are written: each operation that writes declares its own. */
export const writeKinds = [
  'posts',
  'comments',
  'votes',
  'orgs',
  'library',
  'teams',
  'profile',
  'account',
  'moderation',
] as const
export type WriteKind = (typeof writeKinds)[number]

/** What `other` means in bounds: a name from when these had none of their own. */
const others: readonly WriteKind[] = ['teams', 'profile', 'account', 'moderation']

/** The kinds as bounds name them. */
export const thingKinds = [...writeKinds, 'other'] as const
export type ThingKind = (typeof thingKinds)[number]

/** What errors call them. */
export const kindWords: Readonly<Record<WriteKind, string>> = {
  posts: 'bugs, requests, posts and releases',
  comments: 'comments',
  votes: 'votes, reactions and follows',
  orgs: 'orgs and their runs',
  library: 'library items',
  teams: 'teams',
  profile: 'the profile',
  account: 'settings of the account',
  moderation: 'reports, labels, moderation and administration',
}

/** Whether bounds name a kind, by itself or as one of the others. */
export const hasKind = (kinds: readonly ThingKind[], kind: WriteKind): boolean =>
  kinds.includes(kind) || (kinds.includes('other') && others.includes(kind))

/** The kinds that bounds name, each by its own name. */
export const writeKindsOf = (kinds: readonly ThingKind[]): WriteKind[] =>
  writeKinds.filter((kind) => hasKind(kinds, kind))

/** What clients call the one type of `authorization_details` that there is. */
export const BOUNDS_TYPE = 'guildhall_bounds'

const DAY = 86_400
const most = { calls: 1_000_000, writes: 100_000, bytes: 10 * 1024 ** 3, seconds: 365 * DAY }
const kinds = z
  .array(z.enum(thingKinds))
  .max(thingKinds.length)
  .overwrite((names) => thingKinds.filter((kind) => names.includes(kind)))
const count = (max: number, description: string) => z.int().min(0).max(max).optional().meta({ description })

const limits = {
  calls: count(most.calls, 'Calls a day, of any kind'),
  writes: count(most.writes, 'Writes a day, refused ones too'),
  bytes: count(most.bytes, 'Bytes a day in the bodies of writes'),
  kinds: kinds.optional().meta({ description: 'What it may write; everything that its scopes allow unless told' }),
  ask: kinds.optional().meta({
    description: 'Kinds whose writes wait for a yes of the account: each is answered with 202 and a pending act',
    example: ['posts', 'library'],
  }),
}

/** One element of `authorization_details` as a client asks for it. */
export const AskedBounds = z.strictObject({
  type: z.literal(BOUNDS_TYPE),
  ...limits,
  expires_in: z.int().min(60).max(most.seconds).optional(),
})

/** The bounds of a grant, as it keeps them. */
export const GrantBounds = z
  .object({
    ...limits,
    until: z.iso.datetime().optional().meta({ description: 'When access ends; a refresh does not move it' }),
  })
  .meta({ id: 'GrantBounds', description: 'What the account lets it do at most', example: { writes: 20 } })
export type GrantBounds = z.infer<typeof GrantBounds>

/** The bounds that a client asks for in `authorization_details`; throws where they are not of this shape. */
export function boundsAsked(text: string, now: string): GrantBounds | undefined {
  const [asked, ...more] = z.array(AskedBounds).parse(JSON.parse(text))
  if (more.length > 0) throw new Error('at most one element')
  if (!asked) return undefined
  const { type: _, expires_in: seconds, ...rest } = asked
  const until = seconds === undefined ? undefined : new Date(Date.parse(now) + seconds * 1000).toISOString()
  return normalized({ ...rest, until })
}

/** Whether a client asks in this shape. */
export function isBoundsAsked(text: string): boolean {
  try {
    boundsAsked(text, new Date(0).toISOString())
    return true
  } catch {
    return false
  }
}

/** The same as clients read it: what was granted may differ from what they asked for. */
export function detailsOf({ until, ...rest }: GrantBounds, now: string): object[] {
  const left = until && Math.max(0, Math.floor((Date.parse(until) - Date.parse(now)) / 1000))
  return [{ type: BOUNDS_TYPE, ...rest, ...(until && { expires_in: left }) }]
}

/** Whether a write waits until the account has agreed to it. */
export const asksFirst = ({ kind }: { kind?: WriteKind | undefined }, bounds: GrantBounds | undefined): boolean =>
  kind !== undefined && bounds?.ask !== undefined && hasKind(bounds.ask, kind)

/** Without what is not bound; undefined where nothing is. */
export function normalized(bounds: GrantBounds): GrantBounds | undefined {
  const given = { ...bounds }
  for (const name of keysOf(given)) if (given[name] === undefined) delete given[name]
  return keysOf(given).length > 0 ? given : undefined
}

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other)

/** Both bounds at once: never more of anything than either of them allows; undefined where neither bounds anything. */
export function bothBounds(one: GrantBounds | undefined, other: GrantBounds | undefined): GrantBounds | undefined {
  if (!one || !other) return one ?? other
  const allowed = [one.kinds, other.kinds].filter((kinds) => kinds !== undefined).map(writeKindsOf)
  const ask = [...(one.ask ?? []), ...(other.ask ?? [])]
  const ends = [one.until, other.until].filter((until) => until !== undefined)
  return normalized({
    ...{ calls: least(one.calls, other.calls), writes: least(one.writes, other.writes) },
    bytes: least(one.bytes, other.bytes),
    kinds: allowed.length > 0 ? writeKinds.filter((kind) => allowed.every((kinds) => kinds.includes(kind))) : undefined,
    ask: ask.length > 0 ? thingKinds.filter((kind) => ask.includes(kind)) : undefined,
    until: ends.length > 0 ? ends.toSorted()[0] : undefined,
  })
}

/** What others can then see: what "before it publishes" means. A vote is a number, and an account's settings are its own. */
const published = writeKinds.filter((kind) => kind !== 'votes' && kind !== 'account')

/** Bounds that people choose from where they let an agent in. The site has their words. */
export const presets = {
  none: {},
  day: { seconds: DAY },
  careful: { writes: 20, bytes: 1024 ** 2, seconds: 30 * DAY },
  ask: { ask: published },
  talk: { writes: 100, kinds: ['comments', 'votes'] },
} satisfies Record<string, { seconds?: number } & GrantBounds>
export type Preset = keyof typeof presets

export const isPreset = (name: string): name is Preset => Object.hasOwn(presets, name)

/** What a preset bounds from now on. */
export function boundsOfPreset(name: Preset, now: string): GrantBounds | undefined {
  const { seconds, ...limits }: { seconds?: number } & GrantBounds = structuredClone(presets[name])
  const until = seconds === undefined ? undefined : new Date(Date.parse(now) + seconds * 1000).toISOString()
  return normalized({ ...limits, until })
}

// What agents may do here, as the operator rules: write, only suggest, or neither; by kind of act, for accounts without a verified email,
// and by the trust in them. An agent is a caller with a token: what it writes is shown with `via`. A suggestion is ruled by the kind of what it suggests. Pure.

const powers = ['off', 'suggest', 'write'] as const
type AgentPower = (typeof powers)[number]

interface AgentsRule {
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
  return [ofAccount, ofTrust].reduce<AgentPower>(weaker, kinds[kind] ?? power)
}

const weaker = (power: AgentPower, other: AgentPower | undefined): AgentPower =>
  other !== undefined && powers.indexOf(other) < powers.indexOf(power) ? other : power
