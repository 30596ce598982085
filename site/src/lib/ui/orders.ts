// The orders of the lists of the community, as their menus name them; the first is the one that a list has unless told.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { hasActivity, type ListedSubject } from '../../../../src/content/subject.ts'

const shared = ['latest', 'popular'] as const

/** The orders of a list of a subject, or of the feed. */
export const ordersOf = (t: SiteWords, subject?: Pick<ListedSubject, 'thread'>) =>
  [...shared, ...(subject && hasActivity(subject) ? (['active'] as const) : [])].map((value) => ({
    value,
    label: t(`community.${value}`),
  }))
