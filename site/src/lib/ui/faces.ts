// The picture of an account that uploaded none: a letter on a colour. It is decided by the username alone, so its address is its content, and
// browsers keep it for good (routes/avatars).
import { avatarWidths } from '../../../../src/contract/sizes.ts'

const COLORS = 12
const PATTERNS = 4

/** How many pictures a letter has. */
export const VARIANTS = COLORS * PATTERNS

/** The same number for the same name, in every process (FNV-1a, 32 bits). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** The address of the picture that is made for a username, in any case. */
export function madeFace(username: string | null | undefined): string {
  const name = (username ?? '').toLowerCase()
  const letter = /^[a-z0-9]/.exec(name)?.[0] ?? '_'
  return `/avatars/${letter}${hashOf(name) % VARIANTS}.svg`
}

/** The address of an uploaded picture for a place of `size` px, on screens with two pixels to one. */
export const sizedFace = (url: string, size: number): string => {
  const width = avatarWidths.find((one) => one >= 2 * size)
  return width ? `${url}&width=${width}` : url
}

/**
 * Marks the place of the picture of a username until the page is whole: then the server puts in the addresses of all of them by one call
 * (lib/server/faces.ts).
 */
export const faceOf = (username: string): string => `/avatars/of/${username}`

const patterns: readonly ((light: string) => string)[] = [
  (light) => `<circle cx="40" cy="8" r="20" fill="${light}"/>`,
  (light) => `<path d="M0 48V20L48 0v48z" fill="${light}"/>`,
  (light) => `<circle cx="24" cy="56" r="28" fill="${light}"/>`,
  (light) => `<path d="M0 0h12L0 12zM24 0h12L0 36V24zM48 0v0L0 48h12L48 12zM48 24v12L36 48H24z" fill="${light}"/>`,
]

/** The picture that an address names, as SVG; undefined for any other name. */
export function drawFace(name: string): string | undefined {
  const [, letter = '', digits = ''] = /^([a-z0-9_])(0|[1-9]\d?)$/.exec(name) ?? []
  const variant = Number(digits)
  if (digits === '' || variant >= VARIANTS) return undefined
  const hue = (variant % COLORS) * (360 / COLORS)
  const pattern = patterns[Math.floor(variant / COLORS)]?.(`hsl(${hue} 38% 47%)`) ?? ''
  const sign =
    letter === '_'
      ? '<path d="M24 24a8 8 0 1 0 0-16 8 8 0 0 0 0 16zm0 4c-9 0-15 5-15 12h30c0-7-6-12-15-12z" fill="#fff"/>'
      : `<text x="24" y="32.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="24" fill="#fff">${letter.toUpperCase()}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="hsl(${hue} 42% 38%)"/>${pattern}${sign}</svg>`
}
