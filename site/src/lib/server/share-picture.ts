// The picture of a thing for links elsewhere, as SVG of 1200 by 630 px that the server draws as PNG: what it is, who made it, its votes, a
// few points, and a drawing: the graph of a workflow or the chart of an org. It has faces and labels too.
import type { Point } from '#lib/features/library/may-do.ts'
import { escapeXml, oneLine, widthOf, wrapped } from './drawn-text.ts'
import type { Face } from './faces.ts'
import type { FlowChart } from './flow-chart.ts'
import { BOX } from './flow-layout.ts'
import type { OrgChart } from './org-chart.ts'
import { BOX as ROLE } from './org-layout.ts'

export interface Pictured {
  name: string
  kind: string
  /** Who made it, and what else is said below the name. */
  about: string
  /** A few words about it, in place of points. */
  summary?: string | undefined
  points?: readonly Point[]
  /** A workflow or an org. */
  drawing?: Drawing | undefined
  /** Of its author, or of the first people of a team. */
  faces?: readonly Face[]
  /** Labels, which have a colour, or tags. */
  labels?: readonly Label[]
}

interface Label {
  name: string
  /** As #rrggbb. */
  color?: string
}

/** Boxes with names, and lines between them. */
export interface Drawing {
  width: number
  height: number
  viewBox: string
  lines: readonly string[]
  boxes: readonly { x: number; y: number; width: number; height: number; name: string }[]
}

/** Of so many boxes nothing could be told apart. */
const MAX_BOXES = 150

export const flowDrawing = ({ width, height, viewBox, nodes, links }: FlowChart): Drawing => ({
  ...{ width, height, viewBox, lines: links.map(({ d }) => d) },
  boxes: nodes.map(({ x, y, name }) => ({ x, y, name, ...BOX })),
})

export const orgDrawing = ({ width, height, viewBox, nodes, lines }: OrgChart): Drawing => ({
  ...{ width, height, viewBox, lines },
  boxes: nodes.map(({ x, y, title }) => ({ x, y, name: title, ...ROLE })),
})

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 72]
const CHART = { x: 792, y: 56, width: 352, height: 518 }
const colors = {
  ground: '#fbf8f5',
  ink: '#2b231d',
  quiet: '#655b53',
  line: '#d9d0c8',
  accent: '#954717',
  warning: '#9a3412',
}
const TEXT = 'Inter,Noto Sans,DejaVu Sans,Arial,sans-serif'
const MAX_POINTS = 3
const MAX_LABELS = 4
/** In px. */
const [FACE, OVERLAP, CHIP, LINE, LOGO] = [48, 12, 40, 44, 44]
/** Where the last line of a summary may stand, above the name of the site. */
const LAST_LINE = 530

/** What a server has of its own in a picture. */
export interface Brand {
  /** What it calls itself. */
  site: string
  /** As #rrggbb. */
  accent?: string | undefined
  /** Its logo, as a data URL. */
  logo?: string | undefined
}

/** The picture as SVG, with the name of the site; every text of a member is escaped and cut. */
export function pictureOf({ name, kind, about, summary = '', points = [], ...parts }: Pictured, brand: Brand): string {
  const { accent = colors.accent } = brand
  const { drawing, faces = [], labels = [] } = parts
  const count = drawing?.boxes.length ?? 0
  const drawn = count > 1 && count <= MAX_BOXES ? drawing : undefined
  const room = (drawn ? CHART.x - 40 : WIDTH - EDGE) - EDGE
  const width = widthOf(name)
  const size = width <= 24 ? 72 : width <= 60 ? 56 : 44
  const title = wrapped(name, { most: Math.floor(room / (size * 0.56)), lines: 3 })
  const top = 104 + size
  const below = top + (title.length - 1) * size * 1.15
  const indent = faces.length === 0 ? 0 : FACE + (faces.length - 1) * (FACE - OVERLAP) + 16
  const first = below + 122 + (labels.length === 0 ? 0 : CHIP + 20)
  const most = Math.floor(room / 14.5)
  const said = [...summaryIn(summary, most), ...lines(points, most)]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colors.ground}"/><rect width="12" height="${HEIGHT}" fill="${accent}"/>`,
    text(oneLine(kind.charAt(0).toUpperCase() + kind.slice(1), Math.floor(room / 15)), {
      y: 92,
      size: 28,
      fill: accent,
    }),
    ...title.map((line, at) => text(line, { y: top + at * size * 1.15, size, display: true })),
    ...faces.map((face, at) => drawFace(face, { x: EDGE + at * (FACE - OVERLAP), y: below + 56 - 34, at })),
    text(oneLine(about, Math.floor((room - indent) / 16)), {
      ...{ x: EDGE + indent, y: below + 56, size: 30, fill: colors.quiet },
    }),
    chips(labels, { y: below + 84, room }),
    ...said
      .slice(0, Math.max(1, Math.floor((LAST_LINE - first) / LINE) + 1))
      .map(({ words, fill }, at) => text(words, { y: first + at * LINE, size: 26, fill })),
    ...signature(brand),
    drawn ? graph(drawn) : '',
    '</svg>',
  ].join('')
}

/** The name of the site, with its logo before it. */
function signature({ site, logo }: Brand): string[] {
  const place = `x="${EDGE}" y="${HEIGHT - 52 - 34}" width="${LOGO}" height="${LOGO}"`
  const x = logo === undefined ? EDGE : EDGE + LOGO + 16
  return [
    logo === undefined ? '' : `<image ${place} preserveAspectRatio="xMinYMid meet" href="${logo}"/>`,
    text(oneLine(site, 40), { x, y: HEIGHT - 52, size: 34, display: true, fill: colors.quiet }),
  ]
}

interface Look {
  x?: number
  y: number
  size: number
  fill?: string
  /** In the display face. */
  display?: boolean
}

const text = (words: string, { x = EDGE, y, size, fill = colors.ink, display = false }: Look) =>
  `<text x="${x}" y="${Math.round(y)}" font-size="${size}" fill="${fill}" ${display ? 'font-family="Fraunces,serif" font-weight="600"' : `font-family="${TEXT}"`}>${escapeXml(words)}</text>`

/** A face in a circle, with a rim of the ground where it lies on the one before it. */
function drawFace(face: Face, { x, y, at }: { x: number; y: number; at: number }): string {
  const [left, top, half] = [Math.round(x), Math.round(y), FACE / 2]
  const circle = `cx="${left + half}" cy="${top + half}"`
  const place = `x="${left}" y="${top}" width="${FACE}" height="${FACE}"`
  const inside =
    'made' in face
      ? face.made.replace('<svg ', `<svg ${place} `)
      : `<image ${place} preserveAspectRatio="xMidYMid slice" href="${face.data}"/>`
  return [
    `<clipPath id="face${at}"><circle ${circle} r="${half}"/></clipPath><circle ${circle} r="${half + 3}" fill="${colors.ground}"/>`,
    `<g clip-path="url(#face${at})">${inside}</g>`,
  ].join('')
}

/** Labels in a row, as many as there is room for; the color of a label is a dot, as on pages. */
function chips(labels: readonly Label[], { y, room }: { y: number; room: number }): string {
  let x = EDGE
  const drawn: string[] = []
  for (const { name, color } of labels.slice(0, MAX_LABELS)) {
    const words = oneLine(name, 24)
    const start = color ? 46 : 20
    const width = start + widthOf(words) * 13 + 20
    if (x + width > EDGE + room) break
    drawn.push(
      `<rect x="${x}" y="${Math.round(y)}" width="${width}" height="${CHIP}" rx="${CHIP / 2}" fill="#fff" stroke="${colors.line}" stroke-width="2"/>`,
      color ? `<circle cx="${x + 27}" cy="${Math.round(y + CHIP / 2)}" r="8" fill="${escapeXml(color)}"/>` : '',
      text(words, { x: x + start, y: y + 28, size: 22, fill: colors.quiet }),
    )
    x += width + 12
  }
  return drawn.join('')
}

const summaryIn = (summary: string, most: number) =>
  summary === '' ? [] : wrapped(summary, { most, lines: MAX_POINTS }).map((words) => ({ words, fill: colors.ink }))

const lines = (points: readonly Point[], most: number) =>
  points.slice(0, MAX_POINTS).map(({ words, names = [], warning }) => ({
    words: oneLine(`${warning ? '!' : '·'} ${words} ${names.join(', ')}`, most),
    fill: warning ? colors.warning : colors.ink,
  }))

/** The drawing as large as there is room; without its words where they would be too small. */
function graph({ width, height, viewBox, lines: paths, boxes: all }: Drawing): string {
  const scale = Math.min(CHART.width / width, CHART.height / height, 1.2)
  const [x, y] = [CHART.x + (CHART.width - width * scale) / 2, CHART.y + (CHART.height - height * scale) / 2]
  const lines = paths.map((d) => `<path d="${d}"/>`).join('')
  const boxes = all
    .map((box) => `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="8"/>`)
    .join('')
  const names = all
    .map(
      (box) =>
        `<text x="${box.x + 14}" y="${box.y + 29}">${escapeXml(oneLine(box.name, Math.floor((box.width - 20) / 9)))}</text>`,
    )
    .join('')
  const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`
  return [
    `<svg x="${Math.round(x)}" y="${Math.round(y)}" ${size} viewBox="${viewBox}"><g fill="none" stroke="${colors.quiet}" stroke-width="2">${lines}</g>`,
    `<g fill="#fff" stroke="${colors.line}" stroke-width="2">${boxes}</g>`,
    scale > 0.6 ? `<g font-family="${TEXT}" font-size="16" fill="${colors.ink}">${names}</g>` : '',
    '</svg>',
  ].join('')
}
