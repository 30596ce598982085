// Versions by Semantic Versioning 2.0.0, to the letter. `semver` cannot do a part of it: it refuses numbers beyond 2^53, and treats
// prereleases beyond 2^53 as equal, so all of this would be needed anyway, with a second order (docs/decisions, versions):
// node -p "require('semver').compare('1.0.0-9007199254740993', '1.0.0-9007199254740992')" prints 0.
import { required } from '../runtime/untyped.ts'

export const MAX_VERSION_CHARACTERS = 256

const number = '(?:0|[1-9][0-9]*)'
const prerelease = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
const build = '[0-9A-Za-z-]+'
export const VERSION_SHAPE = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${prerelease}(?:\\.${prerelease})*))?(?:\\+${build}(?:\\.${build})*)?$`,
)

/** Whether this is a version: Semantic Versioning 2.0.0, of at most 256 characters. */
export const isVersion = (text: string): boolean => text.length <= MAX_VERSION_CHARACTERS && VERSION_SHAPE.test(text)

/** The compared part of a version: build metadata is not compared (Semantic Versioning 2.0.0, section 10). */
export const precedenceOf = (version: string): string => version.replace(/\+.*$/, '')

/** 1.4.2 becomes 1.4.3, and 1.4.2-beta becomes 1.4.2. */
export function nextPatch(version: string): string {
  const { core, identifiers } = read(version)
  return [...core.slice(0, 2), required(core[2]) + (identifiers.length > 0 ? 0n : 1n)].join('.')
}

/** -1, 0 or 1 as `a` is older than, as old as or newer than `b` (Semantic Versioning 2.0.0, section 11). */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [read(a), read(b)]
  for (const [index, part] of one.core.entries()) {
    const difference = order(part, required(other.core[index]))
    if (difference !== 0) return difference
  }
  const isRelease = one.identifiers.length === 0
  const isOtherRelease = other.identifiers.length === 0
  if (isRelease || isOtherRelease) return Number(isRelease) - Number(isOtherRelease)
  for (const [index, identifier] of one.identifiers.entries()) {
    const against = other.identifiers[index]
    if (against === undefined) return 1
    const difference = compareIdentifiers(identifier, against)
    if (difference !== 0) return difference
  }
  return order(one.identifiers.length, other.identifiers.length)
}

/** Numbers come before words and compare as numbers; words compare by ASCII. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [a, b].map((text) => /^[0-9]+$/.test(text))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return isNumber ? order(BigInt(a), BigInt(b)) : order(a, b)
}

const order = <T extends bigint | number | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

/** Major, minor and patch, and the identifiers of the prerelease, none for a release. */
function read(version: string): { core: bigint[]; identifiers: string[] } {
  const parts = VERSION_SHAPE.exec(version)
  if (!parts) throw new TypeError(`${version} is not a semantic version`)
  return { core: parts.slice(1, 4).map(BigInt), identifiers: parts[4]?.split('.') ?? [] }
}
