// The colours that a server's accent and neutral make, in the light and in the dark: their lightness is ours (site/src/lib/styles/tokens.css), and
// what cannot be read by WCAG 2.2 (1.4.3 and 1.4.11) is refused. The rule itself is in contrast.ts, which pages use too.
import { createRequire } from 'node:module'
import * as contrast from './contrast.ts'

/** Loaded where a server has colours of its own. */
const culori: () => typeof import('culori') = () => createRequire(import.meta.url)('culori')

export type Chosen = contrast.Chosen
type Theme = contrast.Theme

/** The colours of a theme, as #rrggbb. */
export const paletteOf = (chosen: Chosen, theme: Theme) => contrast.paletteOf(culori(), chosen, theme)

/** Why pages of these colours could not be read; undefined where they can. */
export const unreadable = (chosen: Chosen): string | undefined =>
  chosen.accent === undefined && chosen.neutral === undefined ? undefined : contrast.unreadable(culori(), chosen)

/** The lowest contrasts of words and of the edges of controls, in each theme. */
export const lowestContrasts = (chosen: Chosen) => contrast.lowestContrasts(culori(), chosen)

/** The grounds of pages without colours of their own: those of the style sheet. */
const GROUNDS = { light: '#fcf9f7', dark: '#171412' }

/** What a browser draws around a page, in each theme. */
export const groundsOf = ({ neutral }: Chosen): Record<Theme, string> =>
  neutral === undefined
    ? GROUNDS
    : { light: paletteOf({ neutral }, 'light').canvas, dark: paletteOf({ neutral }, 'dark').canvas }

/** The style of pages in these colours; undefined for those of the style sheet. */
export function styleOf(chosen: Chosen): string | undefined {
  const { accent, neutral } = chosen
  const brand = accent && `--brand:${accent}`
  if (neutral === undefined) return brand && `:root{${brand}}`
  const [light, dark] = [paletteOf(chosen, 'light'), paletteOf(chosen, 'dark')]
  const toned = (['canvas', 'surface', 'sunken', 'ink', 'ink-2', 'control'] as const).map(
    (token) => `--${token}:light-dark(${light[token]},${dark[token]})`,
  )
  return `:root{${[brand, ...toned].filter(Boolean).join(';')}}`
}
