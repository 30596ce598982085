// What a page shows of an org. A definition may hold thousands of roles and a name of any length; a page cuts both
// and links to the definition for the rest.
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
  reportsTo: string | null
  responsibilities: string[]
  skills: string[]
  facts: { name: string; value: string }[]
  policy: { rule: string; value: string; matters: boolean }[]
}

/** At most so many characters of a text, never half of one. */
export const short = (text: string, length: number) =>
  text.length > length
    ? `${text
        .slice(0, length)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text
const number = (value: number) => value.toLocaleString('en-GB')

export const shortName = (name: string) => short(name.trim() || 'Untitled org', NAME_LENGTH)
export const shortGoal = (goal: string) => short(goal.trim(), GOAL_LENGTH)

/** The roles with their details, in the order of the definition, which has `count` of them. */
export function rolesOf(roles: readonly Role[], count = roles.length): { shown: RoleView[]; left: number } {
  const some = roles.slice(0, MAX_ROLES)
  const anchors = roleAnchors(some)
  const shown = rendered(some.map((role, at) => roleOf(role, anchors[at] ?? '')))
  return { shown, left: count - shown.length }
}

function roleOf(role: Role, anchor: string): RoleView {
  const { id, title, type, reports_to, responsibilities, skills } = role
  return {
    id: short(id, NAME_LENGTH),
    anchor,
    title: short(title || id, NAME_LENGTH),
    type: short(type, NAME_LENGTH),
    reportsTo: reports_to && short(reports_to, NAME_LENGTH),
    responsibilities,
    skills,
    facts: factsOf(role),
    policy: policyOf(role.policy),
  }
}

function factsOf(role: Role): RoleView['facts'] {
  const provider = [role.provider?.vendor, role.provider?.kind].filter(Boolean).join(', ')
  const facts: [name: string, value: string | null][] = [
    ['Model', role.model],
    ['Provider', provider || null],
    ['Runtime', role.runtime],
    ['Instructions', role.instructions_file],
    ['Budget', role.budget_usd === null ? null : `$${number(role.budget_usd)}`],
    ['Token budget', role.budget_tokens === null ? null : `${number(role.budget_tokens)} tokens`],
    ['Turns per message', role.max_turns_per_message === null ? null : `at most ${number(role.max_turns_per_message)}`],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

/** The label of each policy rule; `matters` where it allows an agent to change something. */
const rules: Record<string, { rule: string; matters?: boolean }> = {
  allowTools: { rule: 'May use' },
  denyTools: { rule: 'May not use' },
  autoApproveTools: { rule: 'Uses without approval', matters: true },
  fileRead: { rule: 'Reads files' },
  fileWrite: { rule: 'Writes files', matters: true },
  webAllow: { rule: 'Opens on the web' },
  maxTokens: { rule: 'Stops after tokens' },
  maxUsd: { rule: 'Stops after US dollars' },
}
const git: Record<string, { value: string; matters?: boolean }> = {
  none: { value: 'no access' },
  read: { value: 'read only' },
  commit: { value: 'commits', matters: true },
  push: { value: 'commits and pushes', matters: true },
}

function policyOf(policy: Role['policy']): RoleView['policy'] {
  return Object.entries(policy ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    if (name === 'git') {
      const said = git[String(value)] ?? { value: String(value) }
      return [{ rule: 'Git', value: said.value, matters: said.matters ?? false }]
    }
    if (name === 'fence') return [{ rule: 'Fence', value: fenceOf(value as Fence), matters: false }]
    const known = rules[name]
    return [{ rule: known?.rule ?? name, value: saidOf(value), matters: (known?.matters && !isEmpty(value)) ?? false }]
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
function fenceOf(fence: Fence): string {
  const parts = [
    fence.enabled !== undefined && (fence.enabled ? 'on' : 'off'),
    fence.enablePIIDetection && 'looks for personal data',
    fence.scanMessages && 'reads messages',
    fence.scanOutput && 'reads output',
    fence.abortThreshold !== undefined && `stops at ${fence.abortThreshold}`,
    fence.allowlist?.length && `exceptions: ${number(fence.allowlist.length)}`,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing set'
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

function saidOf(value: unknown): string {
  if (isEmpty(value)) return 'nothing'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return short(value.join(', '), 1_000)
  if (typeof value === 'number') return number(value)
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
