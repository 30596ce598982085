// The stem of an English word (M. F. Porter, An algorithm for suffix stripping, 1980): `comments` and `commented` become `comment`.
// Words of other languages mostly stay as they are. Both engines store these stems, so they find the same.

const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
const CONSONANTS = `${CONSONANT}[^aeiouy]*`
const VOWELS = `${VOWEL}[aeiou]*`

/** `m > 0`, `m = 1`, `m > 1`: how many vowel-consonant sequences a stem has. */
const hasSequence = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`)
const hasOneSequence = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`)
const hasSequences = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`)
const hasVowel = new RegExp(`^(${CONSONANTS})?${VOWEL}`)
/** `*o`: ends with consonant, vowel, consonant, where the last is not w, x or y. */
const isShort = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`)

const SECOND: Readonly<Record<string, string>> = {
  ...{ ational: 'ate', tional: 'tion', enci: 'ence', anci: 'ance', izer: 'ize', bli: 'ble', alli: 'al', entli: 'ent' },
  ...{ eli: 'e', ousli: 'ous', ization: 'ize', ation: 'ate', ator: 'ate', alism: 'al', iveness: 'ive', fulness: 'ful' },
  ...{ ousness: 'ous', aliti: 'al', iviti: 'ive', biliti: 'ble', logi: 'log' },
}
const THIRD: Readonly<Record<string, string>> = {
  ...{ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' },
}

const endingIn = (endings: readonly string[]) => new RegExp(`^(.+?)(${endings.join('|')})$`)
const second = endingIn(Object.keys(SECOND))
const third = endingIn(Object.keys(THIRD))
const fourth = endingIn(
  'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'.split(' ').concat('(?<=[st])ion'),
)
const isWord = /^[a-z]{3,40}$/

/** Most words of a text are among a few thousand. */
const MAX_KNOWN = 20_000
const known = new Map<string, string>()

/** The stem of a folded word; anything else than three or more Latin letters is its own stem. */
export function stemOf(word: string): string {
  let stem = known.get(word)
  if (stem === undefined) {
    stem = isWord.test(word) ? findStem(word) : word
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(word, stem)
  }
  return stem
}

const ENDS_IN_Y = new RegExp(`^(.*${VOWEL}.*)y$`)

function findStem(word: string): string {
  // A y at the beginning is a consonant.
  const marked = word.startsWith('y') ? `Y${word.slice(1)}` : word
  return lastLetters(suffixes(participle(plural(marked)).replace(ENDS_IN_Y, '$1i'))).replace(/^Y/, 'y')
}

const plural = (word: string): string =>
  word.endsWith('sses') || word.endsWith('ies') ? word.slice(0, -2) : /[^s]s$/.test(word) ? word.slice(0, -1) : word

function participle(word: string): string {
  if (word.endsWith('eed')) return hasSequence.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const [, stem] = /^(.*)(?:ed|ing)$/.exec(word) ?? []
  if (stem === undefined || !hasVowel.test(stem)) return word
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1)
  return isShort.test(stem) ? `${stem}e` : stem
}

function suffixes(word: string): string {
  const once = replaced(word, second, SECOND)
  const twice = replaced(once, third, THIRD)
  const [, stem] = fourth.exec(twice) ?? []
  return stem !== undefined && hasSequences.test(stem) ? stem : twice
}

function replaced(word: string, endings: RegExp, by: Readonly<Record<string, string>>): string {
  const [, stem, ending] = endings.exec(word) ?? []
  return stem !== undefined && ending !== undefined && hasSequence.test(stem) ? stem + by[ending] : word
}

function lastLetters(word: string): string {
  const stem = word.slice(0, -1)
  const hasNoE =
    word.endsWith('e') && (hasSequences.test(stem) || (hasOneSequence.test(stem) && !isShort.test(stem))) ? stem : word
  return hasNoE.endsWith('ll') && hasSequences.test(hasNoE) ? hasNoE.slice(0, -1) : hasNoE
}
