// Which version a name means: the one rule for the file of a name, for resolving names, and for everything else that looks for a version.
import { readRange, type VersionRange } from '../../formats/range.ts'
import { isVersion, precedenceOf } from '../../formats/version.ts'

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
