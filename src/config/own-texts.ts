// The operator's own words in the place of messages: of the first page, and of the parts ("Ideas" for "Feature requests").

import { LANGUAGES } from '../contract/languages.ts'
import type { OwnTexts } from '../language/words.ts'
import type { HomeTexts, OwnText, PartWords } from './site-texts.ts'

const homeKeys = { title: 'home.hero', text: 'home.heroText', description: 'home.description', tagline: 'frame.about' }

/** The messages that say one of a part, and those that say many. */
const keysOf = (part: string) => ({
  one: [`kinds.${part}.word`, `kinds.${part}.one`],
  many: [`kinds.${part}.many`, `kinds.${part}.section`, `kinds.${part}.title`, `kinds.list.${part}s`, `frame.${part}s`],
})

/** A text without variables, as a message: what the format gives a meaning is escaped (ICU MessageFormat). */
const literal = (text: string) => text.replaceAll("'", "''").replace(/[{}<>]/g, "'$&'")

const made = new WeakMap<object, WeakMap<object, OwnTexts>>()

/** The texts by key and language; the same object for the same settings. */
export function ownTextsOf(home: HomeTexts, parts: PartWords): OwnTexts {
  const ofHome = made.get(home) ?? new WeakMap<object, OwnTexts>()
  made.set(home, ofHome)
  const known = ofHome.get(parts)
  if (known) return known
  const texts: Record<keyof OwnTexts, Record<string, string>> = { en: {}, de: {}, others: {} }
  const put = (keys: readonly string[], text: OwnText | undefined) => {
    for (const language of [...LANGUAGES, 'others'] as const) {
      // A text for each language has none for those that the operator added: their own messages stay.
      const said = typeof text === 'string' ? text : language === 'others' ? undefined : text?.[language]
      if (said !== undefined) for (const key of keys) texts[language][key] = literal(said)
    }
  }
  for (const [name, key] of Object.entries(homeKeys)) put([key], home[name as keyof HomeTexts])
  for (const [part, { one, many }] of Object.entries(parts)) {
    put(keysOf(part).one, one)
    put(keysOf(part).many, many)
  }
  ofHome.set(parts, texts)
  return texts
}
