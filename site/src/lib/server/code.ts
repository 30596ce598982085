// A file that a member uploaded, as HTML with line numbers: escaped, highlighted by classes where that is quick, and with every
// invisible character in sight: one that turns the direction of text can make code look like other code (CVE-2021-42574).
import { error } from '@sveltejs/kit'
import { escapeHtml, highlight, languageOf } from './highlight.ts'

export const MAX_LINES = 3_000
/** Characters of a file that is highlighted, and of one that is highlighted here and not in a worker thread. */
const MAX_HIGHLIGHTED = 100_000
const MAX_HERE = 6_000
/** Some patterns of highlight.js take quadratic time in the length of a line. */
const LONGEST_HIGHLIGHTED_LINE = 400

const extensions = new Map([
  ...['mjs', 'cjs'].map((name) => [name, 'javascript'] as const),
  ...['htm', 'html', 'svg'].map((name) => [name, 'xml'] as const),
  ['yml', 'yaml'],
])

export interface Code {
  html: string
  lines: number
  /** Whether lines were left out. */
  isCut: boolean
}

/** The language of a file by its name. */
export function languageOfFile(path: string): string | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return languageOf(extensions.get(extension) ?? extension)
}

/** The first 3,000 lines of a file. */
export async function codeOf({ work }: Pick<App.Locals, 'work'>, text: string, path: string): Promise<Code> {
  // A browser breaks a line at each of these (HTML, 13.2.3.5).
  const all = text.split(/\r\n|\r|\n/)
  if (all.at(-1) === '') all.pop()
  const shown = all.slice(0, MAX_LINES)
  const source = shown.join('\n')
  const language = languageOfFile(path)
  const isQuick = source.length <= MAX_HIGHLIGHTED && shown.every((line) => line.length <= LONGEST_HIGHLIGHTED_LINE)
  const html = !language || !isQuick ? escapeHtml(source) : await highlighted(work, { source, language })
  return { html: withSigns(html), lines: shown.length, isCut: shown.length < all.length }
}

async function highlighted(work: App.Locals['work'], { source, language }: { source: string; language: string }) {
  if (source.length <= MAX_HERE) return highlight(source, language)
  return work('code', { source, language }).catch((thrown: Error & { code?: string }) => {
    if (thrown.name === 'GivenUp') return escapeHtml(source)
    if (thrown.code === 'unavailable') error(503, thrown.message)
    throw thrown
  })
}

/** Characters without a picture: controls but tab and line feed, and those of the general category Cf, such as U+202E and U+200B. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\u{e0000}-\u{e0fff}]/gu
const USUAL = new Set(['\t', '\n'])

/** Puts the code point in place of each invisible character. */
const withSigns = (html: string): string =>
  html.replace(INVISIBLE, (sign) =>
    USUAL.has(sign) ? sign : `<mark>U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}</mark>`,
  )
