// Text cut into lines that fit a box, on a server that has no fonts: widths are estimated, rather too wide than too narrow.

/** Nothing in a box needs more, however long the text is. */
const MOST_CHARACTERS = 200
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** How wide a text is at 1 px of size, in a sans-serif of the system. */
function widthOf(character: string): number {
  if (/^[iljtfrI.,:;'|!()[\]{}/ -]/.test(character)) return 0.38
  if (/^[mwMW@%&—…]/.test(character)) return 0.95
  if (/^[a-z_0-9?"*+=<>$#^~`\\]/.test(character)) return 0.61
  if (/^[A-Z\u00C0-\u024F]/.test(character)) return 0.72
  return /^[\u0370-\u10FF]/.test(character) ? 0.8 : 1.1
}

/** The lines of a text, at most `most`, none wider than `width` at a size of 1 px; what is cut ends in `…`. */
export function fitText(text: string, width: number, most: number): string[] {
  const start = text.slice(0, MOST_CHARACTERS).toWellFormed().replace(/\s+/g, ' ').trim()
  const lines: string[] = []
  let line = ''
  let used = 0
  /** where the line may end, and how wide it is there */
  let space = -1
  let atSpace = 0
  for (const one of charactersOf(start)) {
    const its = widthOf(one)
    if (used + its > width && line) {
      if (lines.length === most - 1) return [...lines, ended(line, width)]
      if (one === ' ') {
        lines.push(line)
        line = ''
        used = 0
        space = -1
        continue
      }
      lines.push(space > 0 ? line.slice(0, space) : line)
      line = space > 0 ? line.slice(space + 1) : ''
      used = space > 0 ? used - atSpace - widthOf(' ') : 0
      space = -1
    }
    if (one === ' ') {
      space = line.length
      atSpace = used
    }
    line += one
    used += its
  }
  return line ? [...lines, line] : lines
}

function ended(line: string, width: number): string {
  const room = width - widthOf('…')
  let kept = ''
  let used = 0
  for (const one of charactersOf(line)) {
    used += widthOf(one)
    if (used > room) break
    kept += one
  }
  return `${kept.trimEnd()}…`
}

const charactersOf = (text: string): Iterable<string> =>
  /^[\x20-\x7e]*$/.test(text) ? text : [...graphemes.segment(text)].map(({ segment }) => segment)
