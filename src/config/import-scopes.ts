// Which imports have people who are accounts at the external provider.
import { type SourceName, sourceNames } from '../contract/import-sources.ts'

/** Imports of a source: of one name, or all of them. */
export interface ImportScope {
  source: SourceName
  name?: string
}

const MOST = 50
const LONGEST_NAME = 100

export const IMPORT_SCOPES_EXPECTED =
  'at most 50 sources, each with or without the name of an import, as in github:acme/looms, gitlab'

/** Reads `source` and `source:name` with commas between them. */
export function parseImportScopes(text: string): ImportScope[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const scopes = parts.flatMap((part) => scopeIn(part) ?? [])
  return scopes.length === parts.length && parts.length <= MOST ? scopes : undefined
}

function scopeIn(part: string): ImportScope | undefined {
  const at = part.indexOf(':')
  const source = sourceNames.find((one) => one === (at < 0 ? part : part.slice(0, at)).trim())
  if (source === undefined || at < 0) return source && { source }
  const name = part.slice(at + 1).trim()
  return name === '' || name.length > LONGEST_NAME ? undefined : { source, name }
}
