// The orders of the lists of the community, as their menus name them; the first is the one that a list has unless told.
import type { SiteWords } from '#lib/language/catalogue.ts'

export const ordersOf = (t: SiteWords) =>
  (['latest', 'popular'] as const).map((value) => ({ value, label: t(`community.${value}`) }))
