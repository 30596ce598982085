// What apps may do, in words: on the consent page and in the list of connected apps.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { isScope, type ScopeWords, scopes } from '../../../../src/contract/scopes.ts'
import { scopeWords } from '../../../../src/language/scope-words.ts'

/** A sentence per scope; an unknown scope is shown as it is. */
export const scopeSentences = (t: SiteWords, names: readonly string[]): string[] =>
  names.map((name) => scopeWords(t, name))

const kinds: readonly ScopeWords['kind'][] = ['identity', 'read', 'write', 'stay']

/** Known scopes under the headings of the consent page. */
export const scopeGroups = (t: SiteWords, names: readonly string[]) =>
  kinds
    .map((kind) => ({
      heading: t(`oauth.scopes.${kind}`),
      items: names
        .filter(isScope)
        .filter((name) => scopes[name].kind === kind)
        .map((name) => ({ name, words: scopeWords(t, name) })),
    }))
    .filter(({ items }) => items.length > 0)
