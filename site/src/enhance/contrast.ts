// The contrast of colours while they are typed, by the rule of the server (src/config/contrast.ts). Without script a preview tells it, and in any
// case the server refuses what cannot be read.
import { formatHex, modeLrgb, modeOklch, modeRgb, useMode, wcagContrast } from 'culori/fn'
import { type Chosen, isReadable, lowestContrasts } from '../../../src/config/contrast.ts'
import { locale } from './words.ts'

useMode(modeRgb)
useMode(modeLrgb)
const culori = { oklch: useMode(modeOklch), formatHex, wcagContrast }

/** The lowest contrasts of pages in these colours. */
export const contrastsOf = (chosen: Chosen) => lowestContrasts(culori, chosen)

const COLOUR = /^#[0-9a-f]{6}$/i

/** Shows the contrasts of the colours in a form; those of before while a colour is half typed. */
export function show(form: HTMLFormElement): void {
  const list = form.querySelector<HTMLElement>('[data-contrasts]')
  if (!list) return
  const typed = (name: string, locked: string | undefined) => {
    const field = form.elements.namedItem(name)
    return (field instanceof HTMLInputElement ? field.value.trim() : locked) || undefined
  }
  const { accent, neutral } = list.dataset
  const chosen = { accent: typed('ACCENT', accent), neutral: typed('NEUTRAL', neutral) }
  if (Object.values(chosen).some((colour) => colour !== undefined && !COLOUR.test(colour))) return
  for (const one of contrastsOf(chosen)) {
    const line = list.querySelector<HTMLElement>(`[data-contrast="${one.theme} ${one.least}"]`)
    if (!line) continue
    const shown = (Math.floor(one.contrast * 100) / 100).toLocaleString(locale)
    line.textContent = (line.dataset['pattern'] ?? '').replace('{contrast}', shown)
    line.classList.toggle('danger', !isReadable(one))
  }
}
