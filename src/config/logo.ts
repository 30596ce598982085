// A logo or an icon as a setting: an SVG or a PNG as a data URL. Of an SVG only shapes and their colours stay: nothing in it runs, loads or links.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'

export interface Logo {
  contentType: 'image/svg+xml' | 'image/png'
  bytes: Buffer
  /** Changes with the bytes. */
  version: string
}

/** In bytes, decoded. */
export const MAX_LOGO_BYTES = 64_000
const MAX_SIDE = 2_048

export const LOGO_EXPECTED = `an SVG or a PNG of at most ${MAX_LOGO_BYTES / 1_000} kB as a data URL (data:image/svg+xml;base64,...), without styles, scripts and addresses in it`

const DATA_URL = /^data:(image\/svg\+xml|image\/png);base64,([A-Za-z0-9+/]+={0,2})$/

/** Loaded where a server has a logo of its own. */
const sanitizeHtml: () => typeof import('sanitize-html') = () => createRequire(import.meta.url)('sanitize-html')

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'use']
const PARTS = [
  'svg',
  'g',
  'defs',
  'symbol',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
  'title',
  'desc',
]
const ATTRIBUTES = [
  ...['xmlns', 'viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy'],
  ...[
    'd',
    'points',
    'id',
    'transform',
    'fill',
    'fill-opacity',
    'fill-rule',
    'clip-rule',
    'clip-path',
    'mask',
    'opacity',
  ],
  ...['stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit'],
  ...['stroke-dasharray', 'stroke-dashoffset', 'offset', 'stop-color', 'stop-opacity', 'color', 'href'],
  ...['gradientUnits', 'gradientTransform', 'spreadMethod', 'clipPathUnits', 'maskUnits', 'preserveAspectRatio'],
]
/** A reference within the picture, or none at all. */
const isInside = (value: string) => !/url\s*\(|[\\]/i.test(value.replace(/^url\(#[\w-]+\)$/, ''))

/** The logo of a data URL; undefined for anything that is not one. */
export function parseLogo(text: string): Logo | undefined {
  const [, contentType, base64 = ''] = DATA_URL.exec(text) ?? []
  if (contentType !== 'image/svg+xml' && contentType !== 'image/png') return undefined
  const given = Buffer.from(base64, 'base64')
  if (given.length > MAX_LOGO_BYTES) return undefined
  const bytes = contentType === 'image/png' ? pngOf(given) : svgOf(given.toString('utf8'))
  if (!bytes) return undefined
  return { contentType, bytes, version: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** Whether bytes begin as those of a PNG (PNG 3, 5.2). */
export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, PNG.length).equals(PNG)

/** A PNG with a size that pages can show (PNG 3, 11.2.1). */
function pngOf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 45 || !isPng(bytes) || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return sides.every((side) => side > 0 && side <= MAX_SIDE) ? bytes : undefined
}

/** A small SVG whose shapes are coloured by attributes; a style sheet or an entity in it cannot be kept, so that it is refused. */
function svgOf(text: string): Buffer | undefined {
  if (!text.isWellFormed() || /<style|<!ENTITY|<\?xml-stylesheet/i.test(text)) return undefined
  const clean = sanitizeHtml()(text, {
    allowedTags: [...PARTS, ...SHAPES],
    allowedAttributes: { '*': ATTRIBUTES },
    nonTextTags: ['script', 'style', 'text', 'foreignObject', 'image', 'metadata', 'animate', 'set', 'a', 'iframe'],
    allowedSchemes: [],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 50,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attribs).filter(([name, value]) =>
            name === 'href' ? tagName === 'use' && /^#[\w-]+$/.test(value) : isInside(value),
          ),
        ),
      }),
    },
  }).trim()
  const root = /^<svg\b[^>]*>/.exec(clean)?.[0]
  if (
    root === undefined ||
    clean.lastIndexOf('<svg') > 0 ||
    !clean.endsWith('</svg>') ||
    !/<(?:path|rect|circle|ellipse|line|poly)/.test(clean)
  )
    return undefined
  const named = root.includes('xmlns=') ? clean : clean.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  return Buffer.from(named)
}
