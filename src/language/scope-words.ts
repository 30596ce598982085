// What pages and mails say of a scope: the words of the consent page, in the area `oauth` of the catalogue.
import de from '../../messages/oauth/de.json' with { type: 'json' }
import en from '../../messages/oauth/en.json' with { type: 'json' }
import type { Words } from './words.ts'

/** The area, for catalogues that have not all areas. */
export const oauth = { en, de }

/** A sentence for a scope; its name where the catalogue has none, as for one of another version. */
export function scopeWords(t: Pick<Words<never>, 'text'>, name: string): string {
  const scope = name.replace(':', '_')
  return Object.hasOwn(en, `scope.${scope}`) ? t.text(`oauth.scope.${scope}`, {}) : name
}
