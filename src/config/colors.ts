// The colours that a server's accent and neutral make, in the light and in the dark: their lightness is ours (site/src/lib/styles/tokens.css), and
// what cannot be read by WCAG 2.2 (1.4.3 and 1.4.11) is refused.
import { createRequire } from 'node:module'
import type { Oklch } from 'culori'

/** Loaded where a server has colours of its own. */
const culori: () => typeof import('culori') = () => createRequire(import.meta.url)('culori')

/** Colours as #rrggbb. */
export interface Chosen {
  accent?: string | undefined
  neutral?: string | undefined
}

const BRAND: Oklch = { mode: 'oklch', l: 0.62, c: 0.13, h: 45 }
const NEUTRAL: Oklch = { mode: 'oklch', l: 0.5, c: 0.015, h: 60 }

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Lightness, and the part of the chroma that is taken, of what a neutral colours. */
const neutrals = {
  light: {
    canvas: [0.985, 0.27],
    surface: [1, 0],
    sunken: [0.955, 0.53],
    ink: [0.24, 1],
    'ink-2': [0.46, 1],
    control: [0.58, 1],
  },
  dark: {
    canvas: [0.195, 0.47],
    surface: [0.23, 0.53],
    sunken: [0.255, 0.6],
    ink: [0.93, 0.53],
    'ink-2': [0.74, 0.8],
    control: [0.6, 1],
  },
} as const
const accents = { light: [0.5, 0.95, 0.25], dark: [0.76, 0.28, 0.35] } as const

type Token = keyof (typeof neutrals)['light'] | 'accent' | 'accent-soft' | 'on-accent'
type Palette = Readonly<Record<Token, string>>

const known = new Map<string, Oklch>()

function colourOf(text: string | undefined, fallback: Oklch): Oklch {
  if (text === undefined) return fallback
  const found = known.get(text) ?? culori().oklch(text) ?? fallback
  if (known.size > 100) known.clear()
  known.set(text, found)
  return found
}

const shade = ({ h = 0, c }: Oklch, l: number, part: number): string =>
  culori().formatHex({ mode: 'oklch', l, c: c * part, h })

/** The colours of a theme, as #rrggbb. */
export function paletteOf({ accent, neutral }: Chosen, theme: Theme): Palette {
  const [brand, grey] = [colourOf(accent, BRAND), colourOf(neutral, NEUTRAL)]
  const [own, soft, part] = accents[theme]
  const toned = Object.entries(neutrals[theme]).map(([token, [l, of]]) => [token, shade(grey, l, of)])
  return {
    ...(Object.fromEntries(toned) as Record<keyof (typeof neutrals)['light'], string>),
    accent: shade(brand, own, 1),
    'accent-soft': shade(brand, soft, part),
    'on-accent': theme === 'light' ? '#ffffff' : '#1a120c',
  }
}

const ROUNDING = 0.02

/** What stands on what: words need 4.5:1, and the edges of controls 3:1. */
const pairs: readonly [Token, Token, number][] = [
  ...(['canvas', 'surface', 'sunken'] as const).flatMap((ground): [Token, Token, number][] => [
    ['ink', ground, 4.5],
    ['ink-2', ground, 4.5],
  ]),
  ['accent', 'canvas', 4.5],
  ['accent', 'surface', 4.5],
  ['ink', 'accent-soft', 4.5],
  ['on-accent', 'accent', 4.5],
  ['control', 'canvas', 3],
  ['control', 'surface', 3],
]

const WORDS: Readonly<Record<Token, string>> = {
  ...{ canvas: 'the page', surface: 'cards', sunken: 'sunken parts', ink: 'text', 'ink-2': 'quiet text' },
  ...{ control: 'the edge of fields', accent: 'links', 'accent-soft': 'marked parts', 'on-accent': 'text on buttons' },
}

/** Why pages of these colours could not be read; undefined where they can. */
export function unreadable(chosen: Chosen): string | undefined {
  if (chosen.accent === undefined && chosen.neutral === undefined) return undefined
  for (const theme of themes) {
    const palette = paletteOf(chosen, theme)
    for (const [front, ground, least] of pairs) {
      const contrast = culori().wcagContrast(palette[front], palette[ground])
      // Colours are rounded to #rrggbb.
      if (contrast < least - ROUNDING)
        return `${WORDS[front]} on ${WORDS[ground]} would have a contrast of ${contrast.toFixed(2)}:1 in the ${theme} theme, and needs ${least}:1`
    }
  }
  return undefined
}

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
