// Sentences of the English catalogue that German does not have: none of them may be on a page in German.
import { areaNames, textsOf } from '../../src/language/derive.ts'

const areas = areaNames().filter((area) => area !== 'mails' && area !== 'refusals')

/** Whole sentences of some words, without variables and tags. */
const english = areas.flatMap((area) => {
  const german = textsOf(area, 'de')
  return Object.entries(textsOf(area, 'en')).flatMap(([name, text]) =>
    text !== german[name] && /^[^{<]*\s[^{<]*$/.test(text) ? [text] : [],
  )
})
const alsoGerman = new Set(areaNames().flatMap((area) => Object.values(textsOf(area, 'de'))))

export const englishSentences: readonly string[] = [...new Set(english)].filter((text) => !alsoGerman.has(text))
