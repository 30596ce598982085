// The cover of an org without a banner: its chart as a small SVG of boxes and lines. No word of the file is in it, and what is large is cut.
import type { OrgChart } from './org-chart.ts'
import { BOX } from './org-layout.ts'

const [WIDTH, HEIGHT, EDGE] = [600, 200, 20]
/** Seen on a light ground and on a dark one, which is that of the card: a style in the picture would be for the machine, not for the page. */
const [LINE, BOXES] = ['#8a7d72', '#b96f3c']
/** Of so many boxes nothing could be told apart. */
const MAX_BOXES = 150

/** A chart in the middle of the cover, as large as there is room. */
export function coverOf({
  width,
  height,
  viewBox,
  nodes,
  lines,
}: Pick<OrgChart, 'width' | 'height' | 'viewBox' | 'nodes' | 'lines'>): string {
  const scale = Math.min((WIDTH - 2 * EDGE) / width, (HEIGHT - 2 * EDGE) / height, 0.9)
  const [wide, tall] = [Math.round(width * scale), Math.round(height * scale)]
  const [x, y] = [Math.round((WIDTH - wide) / 2), Math.round((HEIGHT - tall) / 2)]
  const boxes = nodes
    .slice(0, MAX_BOXES)
    .map((box) => `<rect x="${box.x}" y="${box.y}" width="${BOX.width}" height="${BOX.height}" rx="8"/>`)
  const paths = lines.slice(0, MAX_BOXES).map((d) => `<path d="${d}"/>`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<svg x="${x}" y="${y}" width="${wide}" height="${tall}" viewBox="${viewBox}"><g fill="none" stroke="${LINE}" stroke-width="3">${paths.join('')}</g><g fill="${BOXES}" fill-opacity="0.16" stroke="${BOXES}" stroke-width="3">${boxes.join('')}</g></svg>`,
    '</svg>',
  ].join('')
}
