// Texts of members in SVG that Guildhall writes: escaped, on one line, without characters that hide or turn text, and cut.
import { escapeHtml } from './highlight.ts'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu

/** A text on one line, at most as wide as `most` narrow letters. */
export function oneLine(text: string, most: number): string {
  const plain = text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()
  if (widthOf(plain) <= most) return plain
  let width = 1
  let kept = ''
  for (const letter of plain) {
    width += widthOf(letter)
    if (width > most) break
    kept += letter
  }
  return `${kept.trimEnd()}…`
}

/** How wide a text is, in letters: those of scripts with square signs count twice. */
export const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f000}-\u{3ffff}]/u.test(
        letter,
      )
        ? 2
        : 1),
    0,
  )

/** A text in lines of `most` letters, at most `lines` of them. */
export function wrapped(text: string, { most, lines }: { most: number; lines: number }): string[] {
  const result: string[] = []
  for (const word of oneLine(text, most * lines)
    .split(' ')
    .flatMap((long) => piecesOf(long, most))) {
    const last = result.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= most) result[result.length - 1] = `${last} ${word}`
    else result.push(word)
  }
  const shown = result.slice(0, lines)
  const end = shown.at(-1)
  if (result.length > lines && end !== undefined) shown[lines - 1] = `${oneLine(end, most - 1).replace(/…$/, '')}…`
  return shown
}

/** A word that is longer than a line, in pieces. */
function piecesOf(word: string, most: number): string[] {
  if (widthOf(word) <= most) return [word]
  const letters = [...word]
  const each = Math.max(1, Math.floor((most * letters.length) / widthOf(word)))
  return Array.from({ length: Math.ceil(letters.length / each) }, (_, at) =>
    letters.slice(at * each, at * each + each).join(''),
  )
}

/** As content or in a quoted attribute of SVG. */
export const escapeXml = (text: string): string => escapeHtml(text).replaceAll("'", '&#39;')
