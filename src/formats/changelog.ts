// The part of a CHANGELOG.md that tells of one version.
import { MAX_CHANGELOG } from '../contract/sizes.ts'
import { cut } from './text.ts'
import { precedenceOf } from './version.ts'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const VERSION = /(?:^|[\s[(v])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?(?=$|[\s\])(:,])/

/** A heading that names a version is shorter. */
const LONGEST_HEADING = 300

interface Heading {
  /** The line that it begins on, and the first one after it. */
  line: number
  after: number
  level: number
  version: string | undefined
}

/**
 * What a changelog tells of a version: the text below the heading that names it, up to the next heading of that level, cut to 10,000
 * characters. A changelog without any version tells of this one as a whole. Null where there is nothing.
 */
export function changelogOf(text: string, version: string): string | null {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\0', '\ufffd').split('\n')
  const headings = headingsOf(lines)
  const wanted = precedenceOf(version)
  const at = headings.findIndex((heading) => heading.version === wanted)
  const section = headings[at]
  if (!section) return headings.some((heading) => heading.version) ? null : bounded(lines)
  const next = headings.slice(at + 1).find(({ level }) => level <= section.level)
  return bounded(lines.slice(section.after, next?.line))
}

const bounded = (lines: string[]) => cut(lines.join('\n').trim(), MAX_CHANGELOG).trimEnd() || null

function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = []
  let fence = ''
  for (const [line, whole] of lines.entries()) {
    const text = whole.slice(0, LONGEST_HEADING)
    const [, mark = ''] = FENCE.exec(text) ?? []
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      continue
    }
    if (mark !== '') {
      fence = mark
      continue
    }
    const [, hashes, title = ''] = HEADING.exec(text) ?? []
    if (hashes) headings.push({ line, after: line + 1, level: hashes.length, version: VERSION.exec(title)?.[1] })
    const [, rule] = UNDERLINE.exec(text) ?? []
    const above = line === 0 ? '' : (lines[line - 1] ?? '').slice(0, LONGEST_HEADING)
    if (rule && above.trim() !== '' && !HEADING.test(above)) {
      const level = rule.startsWith('=') ? 1 : 2
      headings.push({ line: line - 1, after: line + 1, level, version: VERSION.exec(above.trim())?.[1] })
    }
  }
  return headings
}
