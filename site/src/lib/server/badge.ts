// The badge of an item: SVG for a README elsewhere, with its name and version. It loads nothing and runs nothing.
import { siteWordsOf } from '#lib/language/catalogue.ts'
import { escapeXml, oneLine, widthOf } from './drawn-text.ts'

const HEIGHT = 20
const PADDING = 8
/** Of a letter of 11 px; `textLength` fits what is drawn to it. */
const LETTER = 6.4
const MAX_LETTERS = 60

/** The badge as SVG, with the name of the site. `name` is what a member chose; `version` is a semantic version. */
export function badgeOf({ name, version }: { name: string; version: string }, site: string): string {
  const parts = [oneLine(site.toLowerCase(), MAX_LETTERS), oneLine(name, MAX_LETTERS), oneLine(version, MAX_LETTERS)]
  const widths = parts.map((part) => Math.ceil(widthOf(part) * LETTER))
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width + 2 * PADDING, 0))
  const total = widths.reduce((sum, width) => sum + width + 2 * PADDING, 0)
  const colors = ['#3a332d', '#57493f', '#954717']
  const title = escapeXml(
    siteWordsOf({ name: site })('library.badge.alt', { name: parts[1] ?? '', version: parts[2] ?? '' }),
  )
  const boxes = parts.map(
    (_, at) =>
      `<path fill="${colors[at]}" d="M${starts[at]} 0h${(widths[at] ?? 0) + 2 * PADDING}v${HEIGHT}h-${(widths[at] ?? 0) + 2 * PADDING}z"/>`,
  )
  const texts = parts.map(
    (part, at) =>
      `<text x="${(starts[at] ?? 0) + PADDING}" y="14" textLength="${widths[at]}" lengthAdjust="spacingAndGlyphs">${escapeXml(part)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${HEIGHT}" role="img" aria-label="${title}"><title>${title}</title>`,
    `<clipPath id="c"><rect width="${total}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#c)">${boxes.join('')}</g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${texts.join('')}</g></svg>`,
  ].join('')
}
