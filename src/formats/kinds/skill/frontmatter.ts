// The frontmatter of a SKILL.md (Agent Skills, agentskills.io/specification; its reference validator is skills-ref). Every value is text, as
// that validator reads it: YAML's failsafe schema (YAML 1.2, 10.1). Part of what the command line bundles: nothing here uses an API of Node.
import { parseDocument } from 'yaml'
import { withCommas } from '../../../contract/explain.ts'
import { isStorable } from '../../../contract/storable.ts'
import { FormatError, quote } from '../../format-error.ts'

export const SKILL_FILE = 'SKILL.md'
export const MAX_NAME = 64
export const MAX_DESCRIPTION = 1024
export const MAX_COMPATIBILITY = 500
/** Agents read all of it at once. */
export const MAX_SKILL_BYTES = 1024 * 1024

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const knownFields = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

export interface Skill {
  name: string
  description: string
  license: string | undefined
  compatibility: string | undefined
  metadata: Record<string, string>
  /** Tools that agents may use without asking. */
  allowedTools: string[]
  /** Fields that are not of the format. */
  unknown: string[]
  /** The Markdown after the frontmatter. */
  body: string
}

/**
 * Reads the text of a SKILL.md.
 *
 * @throws FormatError with the first field that breaks the format
 */
export function readSkill(text: string): Skill {
  if (!isStorable(text)) throw new FormatError('expected well-formed Unicode without NUL', SKILL_FILE)
  const { fields, body } = partsOf(text)
  const name = textIn(fields, 'name', MAX_NAME)
  const description = textIn(fields, 'description', MAX_DESCRIPTION)
  if (name === undefined) throw new FormatError('expected the name of the skill', 'name')
  if (!NAME.test(name))
    throw new FormatError('expected lower-case letters, digits and single hyphens between them', 'name')
  if (description === undefined) throw new FormatError('expected what the skill does and when to use it', 'description')
  return {
    ...{ name, description, body },
    license: textIn(fields, 'license'),
    compatibility: textIn(fields, 'compatibility', MAX_COMPATIBILITY),
    metadata: metadataIn(fields['metadata']),
    allowedTools: toolsIn(fields['allowed-tools']),
    unknown: Object.keys(fields).filter((field) => !knownFields.includes(field)),
  }
}

/** What is between the two lines of three hyphens, and what follows. */
export function frontmatterOf(text: string): { yaml: string; body: string } {
  const [, yaml, body = ''] =
    /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n([\s\S]*))?$/m.exec(text) ?? []
  if (!/^\ufeff?---[ \t]*\r?\n/.test(text) || yaml === undefined)
    throw new FormatError('expected YAML frontmatter between two lines of ---', SKILL_FILE)
  return { yaml, body }
}

function partsOf(text: string): { fields: Record<string, unknown>; body: string } {
  const { yaml, body } = frontmatterOf(text)
  const document = parseDocument(yaml, { schema: 'failsafe', prettyErrors: true })
  const [error] = document.errors
  // Its first line is the second of the file.
  if (error) {
    const at = error.linePos?.[0].line
    throw new FormatError(
      `expected YAML in the frontmatter${at === undefined ? '' : `, line ${at + 1}`}: ${quote(error.message.split('\n')[0] ?? '')}`,
      SKILL_FILE,
    )
  }
  return { fields: mapOf(toValues(document)), body }
}

/** Anchors and aliases are refused: they say nothing that a skill needs, and small ones unfold to much. */
function toValues(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new FormatError('expected frontmatter without anchors and aliases', SKILL_FILE)
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new FormatError('expected frontmatter with fields', SKILL_FILE)
}

/** A text that is there; `most` characters at most. */
function textIn(fields: Record<string, unknown>, field: string, most = Number.POSITIVE_INFINITY): string | undefined {
  const value = fields[field]
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') throw new FormatError('expected text', field)
  if ([...text].length > most) throw new FormatError(`expected at most ${withCommas(most)} characters`, field)
  return text
}

function metadataIn(value: unknown): Record<string, string> {
  if (value === undefined || value === '') return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FormatError('expected keys with a text each', 'metadata')
  for (const [key, one] of Object.entries(value))
    if (typeof one !== 'string') throw new FormatError('expected text', `metadata.${key}`)
  return value as Record<string, string>
}

/** With spaces between them, or as a list; a tool can have spaces in its parentheses. */
function toolsIn(value: unknown): string[] {
  if (value === undefined || value === '') return []
  if (typeof value === 'string') return value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new FormatError('expected the names of tools with spaces between them, or a list of them', 'allowed-tools')
}
