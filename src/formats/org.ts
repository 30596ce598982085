// Org definitions, of the library (kind `org`) and of the gallery (`orgJson`): formats.md section 1. The uploaded text is the
// artifact and is never changed.

import { MAX_ORG_BYTES } from '../contract/sizes.ts'
import { oneLine } from '../contract/storable.ts'
import { FormatError, refusalOf } from './format-error.ts'
import { itemDescription, itemName, UNTITLED_ORG } from './item-text.ts'
import { OrgDefinition } from './org-definition.ts'
import { cut, parseJson } from './text.ts'

const LONGEST_TAGLINE = 150
const LONGEST_TOPOLOGY = 2_000

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * Reads an org definition and applies the defaults of formats.md section 1 to missing fields.
 *
 * @param text the JSON text; to read a file, see `decodeUtf8`
 * @throws FormatError that names the first offending field: `roles.0.id: expected a string of at least 1 character`
 */
export function readOrg(text: string): OrgDefinition {
  if (text.length > MAX_ORG_BYTES || Buffer.byteLength(text) > MAX_ORG_BYTES) {
    throw new FormatError('expected at most 500,000 bytes')
  }
  if (!text.isWellFormed()) throw new FormatError('expected well-formed Unicode')
  const result = OrgDefinition.safeParse(parseJson(text))
  if (!result.success) throw refusalOf(result.error)
  return result.data
}

/** The data of an org that the gallery and the library show (formats.md section 1; the tagline: behaviour.md section 3). */
export function describeOrg(org: OrgDefinition) {
  const topology = org.topology === undefined ? null : cut(org.topology, LONGEST_TOPOLOGY)
  const roleCount = org.roles.length
  return {
    /** as given, on one line (behaviour.md, section 0) */
    name: oneLine(org.name) || UNTITLED_ORG,
    /** the name as a library item carries it: trimmed, at most 100 characters */
    itemName: itemName(org.name, UNTITLED_ORG),
    /** as given, `''` when absent */
    goal: org.goal,
    /** the goal, cut to 2,000 characters */
    description: itemDescription(org.goal),
    /** as given, cut to 2,000 characters */
    topology,
    roleCount,
    /** the first sentence of the goal, at most 150 characters */
    tagline: firstSentence(org.goal),
    meta: { role_count: roleCount, topology },
  }
}

export type OrgDescription = ReturnType<typeof describeOrg>

function firstSentence(text: string): string | null {
  // Text after the longest tagline is irrelevant, so the segmenter never reads more than twice that.
  const start = cut(text.trimStart(), LONGEST_TAGLINE * 2)
  const first = sentences.segment(start).containing(0)?.segment ?? ''
  return cut(oneLine(first).trim(), LONGEST_TAGLINE).trimEnd() || null
}
