// The index of skills that can be installed from one place, and which items are in it.
import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { skillWords } from './words.ts'

/** Of a description, in UTF-16 units: installers leave out an entry with more. */
const MAX_DESCRIPTION = 1024
/** What a skill may be called (agentskills.io/specification). */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The name of the skill of the instance itself. */
export const OWN_SKILL = 'guildhall'

export interface IndexedSkill {
  /** The name of the folder that it is put into. */
  name: string
  type: 'skill-md' | 'archive'
  description: string
  url: string
  /** `sha256:` and the hash of what is at the address, in hex. */
  digest: string
}

/** An item as far as an index needs it. */
interface IndexedItem {
  kind: string
  slug: string
  name: string
  description: string
  version: string
  sha256: string
  meta: Readonly<Record<string, unknown>>
  yanked?: true | undefined
  state?: unknown
}

export interface SkillItems {
  items: readonly IndexedItem[]
  /** The item is asked for alone: it has its own name. */
  isOne?: true
}

export const skillIndex = (skills: readonly IndexedSkill[]) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills,
})

/** The skill of the instance itself. */
export const ownSkill = (config: Pick<Config, 'baseUrl' | 'name' | 'partsOff'>, text: string): IndexedSkill => ({
  name: OWN_SKILL,
  type: 'skill-md',
  description: skillWords(config),
  url: `${config.baseUrl}/.well-known/agent-skills/${OWN_SKILL}/SKILL.md`,
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
})

/**
 * The items that can be installed, with files below an address. Names are slugs: two skills may have the same name, and would be put into the same
 * folder. Left out are hidden and yanked ones, and archives with a folder around everything, which installers refuse.
 */
export function entriesOf({ items, isOne }: SkillItems, files: string): IndexedSkill[] {
  return items.flatMap(({ kind, slug, name, description, version, sha256, meta, yanked, state }) => {
    const called = isOne ? String(meta['skill_name']) : slug
    const isLeft = kind !== 'skill' || yanked || state !== undefined || meta['folder'] !== undefined
    if (isLeft || !NAME.test(called)) return []
    return {
      ...{ name: called, type: 'archive' as const, description: shortened(description.trim() || name) },
      url: `${files}/library/skill/${slug}/${encodeURIComponent(version)}/file`,
      digest: `sha256:${sha256}`,
    }
  })
}

const shortened = (text: string) =>
  text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…` : text
