// The chart of an org definition. Runs in a thread of its own for all but small ones.
import { readFile } from 'node:fs/promises'
import type { OrgChart } from '../contract/org-chart.ts'
import { FormatError } from './format-error.ts'
import { type ItemName, namedItems } from './named-items.ts'
import { describeOrg, type OrgDescription, readOrg } from './org.ts'
import type { OrgDefinition } from './org-definition.ts'
import { decodeUtf8 } from './text.ts'

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

/** The chart of a definition that was published, and how many roles it has. */
export async function readOrgChart(path: string): Promise<OrgChart & { role_count: number }> {
  const definition = readOrg(decodeUtf8(await readFile(path)))
  return { role_count: definition.roles.length, ...chartOf(definition) }
}

interface DefinitionFacts extends OrgDescription {
  chart: string
  /** The items that it names. */
  names: ItemName[]
}

/** What is derived from a definition, the chart as JSON; or what is wrong with it, by the first offending field. */
export function readDefinitionText(text: string): DefinitionFacts | { refused: string } {
  try {
    const definition = readOrg(text)
    const names = namedItems(definition)
    return { ...describeOrg(definition), chart: JSON.stringify(chartOf(definition)), names }
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
