// Licences as files name them, in the identifiers of the SPDX License List (spdx.org/licenses) where it is clear which one is meant.
import { isStorable } from '../contract/storable.ts'

const MAX_CHARACTERS = 100

/** The common ones; what is written otherwise stays as it is. */
const identifiers = [
  ...[
    '0BSD',
    'AGPL-3.0-only',
    'AGPL-3.0-or-later',
    'Apache-2.0',
    'Artistic-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BSL-1.0',
  ],
  ...['BUSL-1.1', 'CC-BY-4.0', 'CC-BY-NC-4.0', 'CC-BY-SA-4.0', 'CC0-1.0', 'EPL-2.0', 'EUPL-1.2', 'GPL-2.0-only'],
  ...[
    'GPL-2.0-or-later',
    'GPL-3.0-only',
    'GPL-3.0-or-later',
    'ISC',
    'LGPL-2.1-only',
    'LGPL-2.1-or-later',
    'LGPL-3.0-only',
  ],
  ...[
    'LGPL-3.0-or-later',
    'MIT',
    'MIT-0',
    'MPL-2.0',
    'MS-PL',
    'ODbL-1.0',
    'PostgreSQL',
    'Python-2.0',
    'Unlicense',
    'WTFPL',
    'Zlib',
  ],
]
const byKey = new Map(identifiers.map((identifier) => [identifier.toLowerCase(), identifier]))

/** Names that people write, without "the" and "license". */
const written: Readonly<Record<string, string>> = {
  'apache 2': 'Apache-2.0',
  'apache 2.0': 'Apache-2.0',
  'apache, version 2.0': 'Apache-2.0',
  'apache version 2.0': 'Apache-2.0',
  'mozilla public version 2.0': 'MPL-2.0',
  'mozilla public 2.0': 'MPL-2.0',
  'bsd 2-clause': 'BSD-2-Clause',
  'bsd 3-clause': 'BSD-3-Clause',
  'boost software - version 1.0': 'BSL-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'european union public v. 1.2': 'EUPL-1.2',
  'eclipse public - v 2.0': 'EPL-2.0',
}

const identifierOf = (name: string): string | undefined => {
  const key = name.toLowerCase()
  const plain = key
    .replace(/\b(the|licen[cs]e)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim()
  return byKey.get(key) ?? byKey.get(plain) ?? written[plain]
}

/**
 * The licence that a manifest names: an SPDX identifier or expression with the case of the list, otherwise the text as it is, of at most
 * 100 characters. Null for what is no line of text.
 */
export function licenseOf(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const text = given.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name has none
  if (text === '' || text.length > MAX_CHARACTERS || /[\x00-\x1f\x7f]/.test(text) || !isStorable(text)) return null
  const whole = identifierOf(text)
  if (whole) return whole
  const parts = text.split(/(\s+(?:AND|OR|WITH)\s+|[()])/i)
  const known = parts.map((part, index) =>
    index % 2 === 1 || part.trim() === '' ? part : byKey.get(part.trim().toLowerCase()),
  )
  return parts.length > 1 && known.every((part) => part !== undefined) ? known.join('') : text
}

/** The names of files at the root of a package that hold its licence; the second group may name it. */
const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-_.]([a-z0-9.-]+?))?(?:\.(?:md|txt|rst))?$/i

export const isLicenseFile = (path: string): boolean => LICENSE_FILE.test(path)

/** Enough for the title of a licence. */
export const LICENSE_TITLE_BYTES = 2_048

/** The licence that a file of a package tells by its name, or by the title that its text begins with; null where that is not clear. */
export function licenseOfFile(path: string, text: string): string | null {
  const named = identifierOf(LICENSE_FILE.exec(path)?.[1] ?? '')
  if (named) return named
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^[#\s*=]+|[\s*=]+$/g, ''))
  const [title = '', next = ''] = lines.filter(Boolean)
  const gnu = /^GNU (AFFERO |LESSER )?GENERAL PUBLIC LICENSE$/i.exec(title)
  if (gnu) {
    const [, version] = /^version (\d+(?:\.\d)?)\b/i.exec(next) ?? []
    const family = { AFFERO: 'AGPL', LESSER: 'LGPL' }[gnu[1]?.trim().toUpperCase() ?? ''] ?? 'GPL'
    // The text of a GNU licence does not tell whether later versions are meant.
    return version
      ? (byKey.get(`${family}-${version.includes('.') ? version : `${version}.0`}-only`.toLowerCase()) ?? null)
      : null
  }
  return identifierOf(title) ?? identifierOf(`${title} ${next.replace(/,.*$/, '')}`) ?? null
}
