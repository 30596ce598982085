// What a page shows of an org. A definition may hold thousands of roles and a name of any length; a page cuts both
// and links to the definition for the rest.
import { type SiteWords, wordOf } from '#lib/language/catalogue.ts'
import { rendered } from '#lib/rendered.ts'
import { roleAnchors } from '#lib/server/org-chart.ts'
import type { OrgChart } from '../../../../../src/contract/org-chart.ts'

export type Role = OrgChart['roles'][number]
export type Link = OrgChart['communication'][number]

/** As many as the chart draws. */
const MAX_ROLES = 1_000
const MAX_LINKS = 200
const NAME_LENGTH = 200
const GOAL_LENGTH = 5_000

export interface RoleView {
  id: string
  anchor: string
  title: string
  type: string
  model: string | null
  reportsTo: string | null
  responsibilities: string[]
  skills: string[]
  facts: { name: string; value: string }[]
  policy: { rule: string; value: string; matters: boolean; denies: boolean }[]
}

/** At most so many characters of a text, never half of one. */
export const short = (text: string, length: number) =>
  text.length > length
    ? `${text
        .slice(0, length)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text

export const shortName = (t: SiteWords, name: string) => short(name.trim() || t('orgs.untitled'), NAME_LENGTH)
export const shortGoal = (goal: string) => short(goal.trim(), GOAL_LENGTH)

/** The roles with their details, in the order of the definition, which has `count` of them. */
export function rolesOf(
  t: SiteWords,
  roles: readonly Role[],
  count = roles.length,
): { shown: RoleView[]; left: number } {
  const some = roles.slice(0, MAX_ROLES)
  const anchors = roleAnchors(some)
  const shown = rendered(some.map((role, at) => roleOf(t, role, anchors[at] ?? '')))
  return { shown, left: count - shown.length }
}

function roleOf(t: SiteWords, role: Role, anchor: string): RoleView {
  const { id, title, type, reports_to, responsibilities, skills } = role
  return {
    id: short(id, NAME_LENGTH),
    anchor,
    title: short(title || id, NAME_LENGTH),
    type: short(type, NAME_LENGTH),
    model: role.model,
    reportsTo: reports_to && short(reports_to, NAME_LENGTH),
    responsibilities,
    skills,
    facts: factsOf(t, role),
    policy: policyOf(t, role.policy),
  }
}

function factsOf(t: SiteWords, role: Role): RoleView['facts'] {
  const provider = [role.provider?.vendor, role.provider?.kind].filter(Boolean).join(', ')
  const facts: [name: string, value: string | null][] = [
    [t('orgs.fact.model'), role.model],
    [t('orgs.fact.provider'), provider || null],
    [t('orgs.fact.runtime'), role.runtime],
    [t('orgs.fact.instructions'), role.instructions_file],
    [t('orgs.fact.budget'), role.budget_usd === null ? null : t.dollars(role.budget_usd)],
    [
      t('orgs.fact.tokens'),
      role.budget_tokens === null ? null : t('orgs.fact.tokenCount', { count: t.number(role.budget_tokens) }),
    ],
    [
      t('orgs.fact.turns'),
      role.max_turns_per_message === null
        ? null
        : t('orgs.fact.atMost', { count: t.number(role.max_turns_per_message) }),
    ],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

/** Rules, and the access to Git, that allow an agent to change something. */
const MATTERS = new Set(['autoApproveTools', 'fileWrite'])
const GIT_MATTERS = new Set(['commit', 'push'])

function policyOf(t: SiteWords, policy: Role['policy']): RoleView['policy'] {
  return Object.entries(policy ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const about = { rule: wordOf(t, `orgs.rule.${name}`) ?? name, denies: name === 'denyTools' }
    if (name === 'git') {
      const access = String(value)
      return [{ ...about, value: wordOf(t, `orgs.git.${access}`) ?? access, matters: GIT_MATTERS.has(access) }]
    }
    if (name === 'fence') return [{ ...about, value: fenceOf(t, value as Fence), matters: false }]
    return [{ ...about, value: saidOf(t, value), matters: MATTERS.has(name) && !isEmpty(value) }]
  })
}

interface Fence {
  enabled?: boolean
  enablePIIDetection?: boolean
  scanMessages?: boolean
  scanOutput?: boolean
  abortThreshold?: number
  allowlist?: unknown[]
}

/** The fence: the checks on an agent's messages. */
function fenceOf(t: SiteWords, fence: Fence): string {
  const parts = [
    fence.enabled !== undefined && (fence.enabled ? t('orgs.fence.on') : t('orgs.fence.off')),
    fence.enablePIIDetection && t('orgs.fence.pii'),
    fence.scanMessages && t('orgs.fence.messages'),
    fence.scanOutput && t('orgs.fence.output'),
    fence.abortThreshold !== undefined && t('orgs.fence.stops', { threshold: fence.abortThreshold }),
    fence.allowlist?.length && t('orgs.fence.exceptions', { count: t.number(fence.allowlist.length) }),
  ]
  return parts.filter(Boolean).join(', ') || t('orgs.fence.nothing')
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

function saidOf(t: SiteWords, value: unknown): string {
  if (isEmpty(value)) return t('orgs.nothing')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return short(value.join(', '), 1_000)
  if (typeof value === 'number') return t.number(value)
  return short(typeof value === 'string' ? value : JSON.stringify(value), 1_000)
}

/** The communication links that a page shows. */
export function linksOf(links: readonly Link[]): { shown: Link[]; left: number } {
  const shown = rendered(
    links.slice(0, MAX_LINKS).map(({ from, to, type }) => ({
      from: short(from, NAME_LENGTH),
      to: short(to, NAME_LENGTH),
      type: type && short(type, NAME_LENGTH),
    })),
  )
  return { shown, left: links.length - shown.length }
}
