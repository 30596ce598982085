// What the navigation can show, in the order of the product: its groups and their links. The operator's order is laid over it (NAVIGATION).
import { itemKindFacts } from '../../../src/contract/item-kinds.ts'
import { type ItemList, itemLists, listPath, ORGS } from './features/library/item-lists.ts'
import type { SiteWords } from './language/catalogue.ts'
import { sectionsOf } from './subjects.ts'
import type { IconName } from './ui/icons.ts'

export interface NavigationLink {
  href: string
  label: string
  icon: IconName
  waiting?: number
}

/** The groups of the navigation, with the links of all parts. */
export function navigationGroups(t: SiteWords): { title: string; links: NavigationLink[] }[] {
  const roadmap = { href: '/community/roadmap', label: t('frame.roadmap'), icon: 'plan' } as const
  return [
    {
      title: t('frame.community'),
      links: [
        { href: '/', label: t('frame.home'), icon: 'home' },
        { href: '/community', label: t('frame.feed'), icon: 'feed' },
        ...sectionsOf(t)
          .filter(({ href }) => href !== ORGS)
          .flatMap((section) => (section.href === '/community/features' ? [section, roadmap] : section)),
        { href: '/community/members', label: t('frame.members'), icon: 'people' },
        { href: '/blog', label: t('frame.blog'), icon: 'blog' },
      ],
    },
    {
      title: t('frame.library'),
      links: [
        { href: '/library', label: t('frame.everything'), icon: 'library' },
        ...Object.entries(itemLists).map(([list, { kind }]) => ({
          href: listPath(list as ItemList),
          label: t(`kinds.list.${list as ItemList}`),
          icon: itemKindFacts[kind].icon as IconName,
        })),
      ],
    },
  ]
}
