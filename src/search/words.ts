// The words of a text, for the index, for queries and for highlighting: folded, and for names such as `find_operation`,
// `morning-digest.json` or `findOperation` both whole and in parts. Numbers and versions stay whole.

/** A word and its place in the text. */
export interface Word {
  start: number
  end: number
  /** Folded and without what joins its parts: `findoperation`, `1.4.2`. */
  whole: string
  /** Folded; one that equals `whole` where there is nothing to part. */
  parts: readonly string[]
}

/** Longer words are cut. */
export const MAX_WORD = 64
/** A name of more parts, such as a hash, is one word. */
const MAX_PARTS = 8
const MAX_PIECES = 4

const CHUNK = /[\p{L}\p{N}\p{M}]+(?:[._\-/'’,@+:#][\p{L}\p{N}\p{M}]+)*/gu
const JOINT = /(?<!\d)\.|\.(?!\d)|[_\-/'’,@+:#]/u
const COMMA_IN_NUMBER = /(?<=\d),(?=\d)/g
const POSSESSIVE = /['’][sS]$/
const VERSION = /^[vV](?=\d+\.\d)/
const IS_MIXED = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u
const PIECE = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu
/** Written without spaces: such words are parted in pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** As most words are. */
const IS_PLAIN = /^[A-Za-z]?[a-z]{0,62}$/

/** The words of a text in its order. */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (IS_PLAIN.test(chunk)) {
      const whole = chunk.toLowerCase()
      yield { start: index, end: index + chunk.length, whole, parts: [whole] }
      continue
    }
    const name = chunk.replace(COMMA_IN_NUMBER, '').replace(POSSESSIVE, '').replace(VERSION, '')
    const joined = name.split(JOINT)
    const parts = joined.length > MAX_PARTS ? [] : joined.flatMap(piecesOf).map(foldWord).filter(Boolean)
    const whole = foldWord(joined.join(''))
    if (whole) yield { start: index, end: index + chunk.length, whole, parts: parts.length > 0 ? parts : [whole] }
  }
}

function piecesOf(part: string): string[] {
  if (UNSPACED.test(part)) return pairsOf(part)
  if (!IS_MIXED.test(part)) return [part]
  const pieces = part.match(PIECE) ?? []
  return pieces.length > MAX_PIECES ? [part] : pieces
}

function pairsOf(part: string): string[] {
  const characters = [...part.slice(0, 1_000)]
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
}

/** In lower case and without diacritics, at most 64 characters: `Prüfung` is `prufung`. */
export function foldWord(word: string): string {
  const cut = word.slice(0, MAX_WORD)
  if (/^[\da-zA-Z.]*$/.test(cut)) return cut.toLowerCase()
  return cut
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþıħ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}.]/gu, '')
    .slice(0, MAX_WORD)
    .toWellFormed()
    .replaceAll('\ufffd', '')
}

/** A whole name as one word, to compare names by. */
export const nameKey = (name: string): string =>
  [...wordsIn(name)]
    .map(({ whole }) => whole)
    .join('')
    .slice(0, MAX_WORD)

/** Words that say little: they are left out of a query that has others. English and German. */
const COMMON = new Set(
  `a about an and are as at be but by can do does for from had has have how i if in into is it its me my no not of on or our so
  than that the their them then there these they this to was we were what when where which who why will with you your
  aber als am an auf aus bei das dass dem den der des die du ein eine einem einen einer er es fur hat ich ihr im in ist ja
  kann man mein mit nach nicht noch nur ob oder sein sich sie sind uber um und uns vom von vor war was wenn wer wie wir wird
  zu zum zur`.split(/\s+/),
)

export const saysLittle = (word: string): boolean => COMMON.has(word)
