// What apps may do, in words: on the consent page and in the list of connected apps.
import { isScope, type ScopeWords, scopes } from '../../../../src/contract/scopes.ts'

/** A sentence per scope; an unknown scope is shown as it is. */
export const scopeSentences = (names: readonly string[]): string[] =>
  names.map((name) => (isScope(name) ? scopes[name].words : name))

const headings: [ScopeWords['kind'], heading: string][] = [
  ['identity', 'About you'],
  ['read', 'Read'],
  ['write', 'Write'],
  ['stay', 'How long'],
]

/** Known scopes under the headings of the consent page. */
export const scopeGroups = (names: readonly string[]) =>
  headings
    .map(([kind, heading]) => ({
      heading,
      items: names
        .filter(isScope)
        .filter((name) => scopes[name].kind === kind)
        .map((name) => ({ name, words: scopes[name].words })),
    }))
    .filter(({ items }) => items.length > 0)
