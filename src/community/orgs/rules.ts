// What is derived from an org definition for the gallery's pages, beyond what formats/org.ts derives.

import { itemDescription, itemName } from '../../formats/item-text.ts'
import type { OrgDefinition } from '../../formats/org-definition.ts'
import { cut } from '../../formats/text.ts'
import type { OrgChart } from './contract.ts'

const MAX_ROLES = 1_000
const MAX_LINKS = 2_000

type Role = OrgDefinition['roles'][number]

/**
 * Its roles and the edges between them, with the names of the definition: the first of each, as a definition of 500 KB can have
 * 45,000 roles: too many for a page.
 */
export function chartOf({ roles, communication = [] }: OrgDefinition): OrgChart {
  return {
    roles: roles.slice(0, MAX_ROLES).map(roleOf),
    communication: communication.slice(0, MAX_LINKS).map(({ from, to, type = null }) => ({ from, to, type })),
  }
}

function roleOf(role: Role): OrgChart['roles'][number] {
  return {
    id: role.id,
    title: role.title ?? null,
    type: role.type,
    reports_to: role.reports_to ?? null,
    responsibilities: role.responsibilities ?? [],
    instructions_file: role.instructions_file ?? null,
    runtime: role.runtime ?? null,
    model: role.adapter_config?.model ?? null,
    provider: role.provider ? { kind: role.provider.kind ?? null, vendor: role.provider.vendor ?? null } : null,
    skills: textsIn(role['skills']),
    policy: role.policy ?? null,
    max_turns_per_message: role.max_turns_per_message ?? null,
    budget_tokens: role.budget_tokens ?? null,
    budget_usd: role.budget_usd ?? null,
  }
}

/** The format does not say what skills are (formats.md, section 1): only texts are shown. */
const textsIn = (value: unknown) => (Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [])

/** What the feed shows below the title (behaviour.md, section 2). */
export const shownText = ({ tagline, goal }: { tagline: string | null; goal: string }): string => tagline ?? goal

/** What the feed calls it: as a library item would be called (formats/org.ts), since a name may be of any length. */
export const titleOf = ({ name }: { name: string }): string => itemName(name, 'Untitled org')

/** The site has the page for uploading at /community/orgs/new: an org of that slug is found by its id. */
export const pathOf = ({ id, slug }: { id: string; slug: string }): string =>
  `/community/orgs/${slug === 'new' ? id : slug}`

/** What a search looks through (behaviour.md, section 4). */
export const searchedTexts = (org: { name: string; goal: string; tagline: string | null; slug: string }) => [
  cut(org.name, 200),
  cut(org.goal, 2_000),
  org.tagline,
  org.slug,
]

/** What the library says of it: its own description, or else its goal, as an item's (formats.md, section 1). */
export const describedAs = ({ description, goal }: { description: string | null; goal: string }): string =>
  description ?? itemDescription(goal)
