// Ranges of versions as npm reads them, by its own package: `^1.2`, `~1.2.3`, `1.x`, `>=1 <3 || 4.0.0-beta.2`. A prerelease is in a range
// only if the range names a prerelease of the same major, minor and patch. Versions with numbers beyond 2^53, which the package refuses,
// are in no range; they have their place among the others by version.ts.
import Range from 'semver/classes/range.js'

const MAX_CHARACTERS = 256

export interface VersionRange {
  /** Whether a version (Semantic Versioning 2.0.0) is in the range. */
  has(version: string): boolean
}

/** The range that a text of at most 256 characters says; undefined for what is none. */
export function readRange(text: string): VersionRange | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  try {
    const range = new Range(text, { loose: true })
    return { has: (version) => range.test(version) }
  } catch {
    return undefined
  }
}
