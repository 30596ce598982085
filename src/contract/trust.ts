// Trust that grows: the levels of accounts, what each asks for and what it allows, as data. An operator turns it on and may change every
// figure (TRUST). Pure.
import { keysOf } from './records.ts'

export const trustLevels = [0, 1, 2, 3, 4] as const
export type TrustLevel = (typeof trustLevels)[number]
const HIGHEST = 4

/** What an account must have done for a level. */
interface Thresholds {
  /** Days since it was made. */
  days: number
  /** Different days on which it wrote something that shows. */
  active: number
  /** Things and comments of it that show. */
  written: number
  /** Members of level 1 or more who voted for something of it, reacted with thanks, or had it as the solution. */
  thanks: number
}

/** What an account of a level may do. */
interface TrustRights {
  /** Whether its first texts wait for a moderator. */
  held: boolean
  /** A text with more links to other sites waits for a moderator. */
  links: number
  /** What its budgets of writes are multiplied by. */
  budgets: number
}

export interface TrustRule {
  /** Of the levels from 1 on. */
  thresholds: readonly Thresholds[]
  /** Of all levels. */
  rights: readonly TrustRights[]
}

const ANY = Number.POSITIVE_INFINITY

export const defaultTrust: TrustRule = {
  thresholds: [
    { days: 2, active: 2, written: 3, thanks: 0 },
    { days: 14, active: 7, written: 15, thanks: 3 },
    { days: 60, active: 30, written: 60, thanks: 15 },
    { days: 180, active: 90, written: 200, thanks: 50 },
  ],
  rights: [
    { held: true, links: 1, budgets: 0.5 },
    { held: false, links: 5, budgets: 1 },
    { held: false, links: 20, budgets: 1 },
    { held: false, links: ANY, budgets: 1.5 },
    { held: false, links: ANY, budgets: 2 },
  ],
}

/** The syntax, for the error message of an invalid value. */
export const TRUST_EXPECTED =
  'off, on, or on with changes such as on; 1: days 3, written 5; 0: held no, links 0, budgets 0.5'

/** Undefined for an invalid value; `rule` is undefined where it is off. */
export function parseTrust(text: string): { rule: TrustRule | undefined } | undefined {
  const [state, ...parts] = text.split(';').map((part) => part.trim())
  if (state === 'off') return parts.length === 0 ? { rule: undefined } : undefined
  if (state !== 'on') return undefined
  const rule = {
    thresholds: defaultTrust.thresholds.map((one) => ({ ...one })),
    rights: defaultTrust.rights.map((one) => ({ ...one })),
  }
  for (const part of parts.filter(Boolean)) {
    const [, level, changes] = part.match(/^([0-4])\s*:\s*(.+)$/) ?? []
    if (level === undefined || changes === undefined) return undefined
    if (!changes.split(',').every((change) => applied(rule, Number(level), change.trim()))) return undefined
  }
  return rises(rule) ? { rule } : undefined
}

/** Stores one figure of a level; false where there is no such one. */
function applied(rule: { thresholds: Thresholds[]; rights: TrustRights[] }, level: number, change: string): boolean {
  const [, name, value] = change.match(/^([a-z]+) (\S+)$/) ?? []
  const [asked, right] = [rule.thresholds[level - 1], rule.rights[level]]
  if (name === undefined || value === undefined || !right) return false
  if (name === 'held') right.held = value === 'yes'
  else if (name === 'links') right.links = value === 'any' ? ANY : Number(value)
  else if (name === 'budgets') right.budgets = Number(value)
  else if (asked && isThreshold(name)) asked[name] = Number(value)
  else return false
  if (name === 'held') return value === 'yes' || value === 'no'
  if (name === 'budgets') return /^\d{1,2}(\.\d{1,2})?$/.test(value) && right.budgets >= 0.1 && right.budgets <= 10
  return (name === 'links' && value === 'any') || /^\d{1,5}$/.test(value)
}

const names = keysOf<Record<keyof Thresholds, true>>({ days: true, active: true, written: true, thanks: true })
const isThreshold = (name: string): name is keyof Thresholds => names.some((one) => one === name)

/** Whether no level asks for less than the one before. */
const rises = ({ thresholds }: TrustRule): boolean =>
  thresholds.every((asked, at) => names.every((name) => asked[name] >= (thresholds[at - 1]?.[name] ?? 0)))

/** What is known of an account. */
export interface TrustFacts extends Thresholds {
  /** It is a moderator or an admin. */
  isStaff: boolean
  verified: boolean
  blocked: boolean
  /** What moderators found against it lately, without what was undone. */
  upheld: number
}

/** The level of an account: the highest that it reaches, less one for each thing that was found against it lately. */
export function levelOf({ thresholds }: TrustRule, facts: TrustFacts): TrustLevel {
  if (facts.blocked) return 0
  if (facts.isStaff) return HIGHEST
  if (!facts.verified) return 0
  const reached = thresholds.filter((asked) => names.every((name) => facts[name] >= asked[name])).length
  return asLevel(Math.max(0, reached - facts.upheld))
}

/** A stored number as a level. */
export const asLevel = (number: number | undefined): TrustLevel => trustLevels.find((level) => level === number) ?? 0

/** What an account may do; undefined where levels are off. */
export const rightsOf = (rule: TrustRule | undefined, trust: number | undefined): TrustRights | undefined =>
  rule?.rights[asLevel(trust)]
