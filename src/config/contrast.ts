// What a server's accent and neutral make of the colours of its pages, and what can be read of them: one rule for the server and for the page on which
// they are chosen. Each gives the functions of culori that it has loaded.
import type { Oklch } from 'culori'

export interface Culori {
  oklch(text: string): Oklch | undefined
  formatHex(colour: Oklch): string
  wcagContrast(front: string, ground: string): number
}

/** Colours as #rrggbb. */
export interface Chosen {
  accent?: string | undefined
  neutral?: string | undefined
}

const BRAND: Oklch = { mode: 'oklch', l: 0.62, c: 0.13, h: 45 }
const NEUTRAL: Oklch = { mode: 'oklch', l: 0.5, c: 0.015, h: 60 }

const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

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

function colourOf({ oklch }: Culori, text: string | undefined, fallback: Oklch): Oklch {
  if (text === undefined) return fallback
  const found = known.get(text) ?? oklch(text) ?? fallback
  if (known.size > 100) known.clear()
  known.set(text, found)
  return found
}

const shade = ({ h = 0, c }: Oklch, l: number, part: number): Oklch => ({ mode: 'oklch', l, c: c * part, h })

/** The colours of a theme, as #rrggbb. */
export function paletteOf(culori: Culori, { accent, neutral }: Chosen, theme: Theme): Palette {
  const [brand, grey] = [colourOf(culori, accent, BRAND), colourOf(culori, neutral, NEUTRAL)]
  const hex = (...given: Parameters<typeof shade>) => culori.formatHex(shade(...given))
  const [own, soft, part] = accents[theme]
  const toned = Object.entries(neutrals[theme]).map(([token, [l, of]]) => [token, hex(grey, l, of)])
  return {
    ...(Object.fromEntries(toned) as Record<keyof (typeof neutrals)['light'], string>),
    accent: hex(brand, own, 1),
    'accent-soft': hex(brand, soft, part),
    'on-accent': theme === 'light' ? '#ffffff' : '#1a120c',
  }
}

/** Colours are rounded to #rrggbb. */
const ROUNDING = 0.02

/** Whether something can be read with this contrast. */
export const isReadable = ({ contrast, least }: Pick<Contrast, 'contrast' | 'least'>): boolean =>
  contrast >= least - ROUNDING

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

interface Contrast {
  theme: Theme
  front: Token
  ground: Token
  contrast: number
  /** What it needs. */
  least: number
}

function contrastsOf(culori: Culori, chosen: Chosen): Contrast[] {
  return themes.flatMap((theme) => {
    const palette = paletteOf(culori, chosen, theme)
    return pairs.map(([front, ground, least]) => ({
      ...{ theme, front, ground, least },
      contrast: culori.wcagContrast(palette[front], palette[ground]),
    }))
  })
}

/** Why pages of these colours could not be read; undefined where they can. */
export function unreadable(culori: Culori, chosen: Chosen): string | undefined {
  const wrong = contrastsOf(culori, chosen).find((one) => !isReadable(one))
  if (!wrong) return undefined
  const { theme, front, ground, contrast, least } = wrong
  return `${WORDS[front]} on ${WORDS[ground]} would have a contrast of ${contrast.toFixed(2)}:1 in the ${theme} theme, and needs ${least}:1`
}

/** The lowest contrasts of words and of the edges of controls, in each theme. */
export function lowestContrasts(culori: Culori, chosen: Chosen): Pick<Contrast, 'theme' | 'contrast' | 'least'>[] {
  const all = Map.groupBy(contrastsOf(culori, chosen), ({ theme, least }) => `${theme} ${least}`)
  return [...all.values()].flatMap((some) => some.toSorted((one, other) => one.contrast - other.contrast).slice(0, 1))
}
