// The orders of the lists of the community, as their menus name them; the first is the one that a list has unless told.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { hasActivity, type ListedSubject } from '../../../../src/content/subject.ts'

type Order = 'latest' | 'popular' | 'active' | 'new'

const orders = (t: SiteWords, ...values: readonly Order[]) =>
  values.map((value) => ({ value, label: t(`community.${value}`) }))

/** The orders of the feed. */
export const ordersOf = (t: SiteWords) => orders(t, 'latest', 'popular')

/** The orders of a list of a subject; members have one more, with what is new since their visit alone. */
export const ordersOfList = (t: SiteWords, subject: Pick<ListedSubject, 'thread'>, isMember: boolean) =>
  hasActivity(subject) ? orders(t, 'latest', 'popular', 'active', ...(isMember ? (['new'] as const) : [])) : ordersOf(t)
