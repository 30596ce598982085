// The kinds of the library, as URLs and pages name them.
import type { Item } from '../../../../../src/library/item-contract.ts'

export type { Item }
export type ItemKind = Item['kind']

/** An item as lists show it, without `meta`, which may be long. */
export type ShownItem = Omit<Item, 'meta'> & {
  /** Whether it is an org of the gallery, which is edited, voted on and discussed there. */
  gallery: boolean
}

export const itemLists = {
  workflows: {
    kind: 'workflow',
    title: 'Workflows',
    one: 'workflow',
    about: 'Chains of steps with a trigger, ready to import.',
  },
  automations: {
    kind: 'automation',
    title: 'Automations',
    one: 'automation',
    about: 'Packages that teach an agent to use a website, with what each is allowed to do.',
  },
  orgs: {
    kind: 'org',
    title: 'Orgs',
    one: 'org',
    about: 'Teams of agents with roles, goals and the rules they work by.',
  },
} as const satisfies Record<string, { kind: ItemKind; title: string; one: string; about: string }>

export type ItemList = keyof typeof itemLists

/** The list that a segment of a URL names. */
export const oneOf = (segment: string): ItemList | undefined =>
  Object.hasOwn(itemLists, segment) ? (segment as ItemList) : undefined

export const itemListOf = (kind: ItemKind) => `${kind}s` as const

/** The page of an item. */
export const pathOf = ({ kind, slug }: Pick<Item, 'kind' | 'slug'>) => `/library/${itemListOf(kind)}/${slug}`

/** The page of a file of an item; without a version of the current one. */
export const filePathOf = (item: Pick<Item, 'kind' | 'slug'>, path: string, version?: string) =>
  `${pathOf(item)}/files/${path.split('/').map(encodeURIComponent).join('/')}${version ? `?version=${encodeURIComponent(version)}` : ''}`

export const shown = ({ meta, ...item }: Item): ShownItem => ({ ...item, gallery: meta['gallery'] === true })

export const galleryPath = ({ slug }: Pick<Item, 'slug'>) => `/community/orgs/${slug}`

/** The vote target below /api/community; undefined for a private item. */
export function voteTarget({ id, visibility, gallery }: Pick<ShownItem, 'id' | 'visibility' | 'gallery'>) {
  if (gallery) return `orgs/${id}`
  return visibility === 'private' ? undefined : `library/${id}`
}

/** The page of an item that is named as `kind/slug`. */
export const pathOfName = (name: string) => `/library/${name.replace('/', 's/')}`

/** As many users as the server counts. */
const MOST_USERS = 1_000

/** "1 item", "3 items", "1,000 items or more" */
export const usersInWords = (total: number): string =>
  total >= MOST_USERS
    ? `${MOST_USERS.toLocaleString('en-GB')} items or more`
    : total === 1
      ? '1 item'
      : `${total} items`
