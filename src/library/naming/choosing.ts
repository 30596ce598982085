// Which version a name means: the one rule for the file of a name, for resolving names, and for everything else that looks for a version.

import Range from 'semver/classes/range.js'
import { isVersion, precedenceOf } from '../../formats/version.ts'

const MAX_CHARACTERS = 256

interface VersionRange {
  /** Whether a version (Semantic Versioning 2.0.0) is in the range. */
  has(version: string): boolean
}

/**
 * The range that a text of at most 256 characters says, as npm reads it, by its own package: `^1.2`, `~1.2.3`, `1.x`, `>=1 <3 || 4.0.0-beta.2`.
 * A prerelease is in a range only if the range names a prerelease of the same major, minor and patch. Versions with numbers beyond 2^53, which
 * the package refuses, are in no range; they have their place among the others by formats/version.ts. Undefined for what is none.
 */
export function readRange(text: string): VersionRange | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  try {
    const range = new Range(text, { loose: true })
    return { has: (version) => range.test(version) }
  } catch {
    return undefined
  }
}

/** What is wanted of an item: the version to the letter, one of a range, or the latest. */
export type VersionChoice = { exact: string } | { range: VersionRange } | 'latest'

/** What is chosen from. */
export interface Choosable {
  version: string
  /** When its owner yanked it; null or absent for a version that was not. */
  yankedAt?: string | null
}

/** What a text asks for: nothing, `*` and `latest` mean the latest; undefined for what is neither version nor range. */
export function wantedOf(text: string | undefined): VersionChoice | undefined {
  const asked = text?.trim() ?? ''
  if (asked === '' || asked === '*' || asked === 'latest') return 'latest'
  if (isVersion(asked)) return { exact: precedenceOf(asked) }
  const range = readRange(asked)
  return range && { range }
}

/** The exact version that is wanted, without build metadata; undefined for a range and the latest. */
export const exactOf = (wanted: VersionChoice): string | undefined =>
  typeof wanted === 'object' && 'exact' in wanted ? wanted.exact : undefined

const isPrerelease = (version: string) => precedenceOf(version).includes('-')

/**
 * The version that is meant, of versions that are newest first.
 *
 * - An exact version is itself, also when it was yanked; build metadata does not count.
 * - A range is the newest version in it.
 * - The latest is the newest release; where there is no release, the newest prerelease.
 *
 * Yanked versions are in no range and never the latest, unless `withYanked`. With `isPart` there are older versions than these:
 * undefined then where one of those may be meant.
 */
export function choose<Version extends Choosable>(
  versions: readonly Version[],
  wanted: VersionChoice,
  { withYanked = false, isPart = false }: { withYanked?: boolean; isPart?: boolean } = {},
): Version | undefined {
  const exact = exactOf(wanted)
  if (exact !== undefined) return versions.find(({ version }) => precedenceOf(version) === exact)
  const offered = withYanked ? versions : versions.filter(({ yankedAt }) => !yankedAt)
  if (typeof wanted === 'object' && 'range' in wanted) return offered.find(({ version }) => wanted.range.has(version))
  return offered.find(({ version }) => !isPrerelease(version)) ?? (isPart ? undefined : offered[0])
}
