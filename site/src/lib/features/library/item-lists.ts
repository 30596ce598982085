// The kinds of the library, as URLs and pages name them.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { type ItemKind, type ItemList, itemKinds, listNameOf } from '../../../../../src/contract/item-kinds.ts'
import type { Item } from '../../../../../src/library/items/item-contract.ts'

export type { Item, ItemKind, ItemList }

/** An item as lists show it, without `meta`, which may be long. */
export type ShownItem = Omit<Item, 'meta'> & {
  /** Whether it is an org of the gallery, which is edited, voted on and discussed there. */
  gallery: boolean
}

/** Their words are in the catalogue: `kinds.list.<name>`, `kinds.about.<name>`. */
export const itemLists = Object.fromEntries(itemKinds.map((kind) => [listNameOf(kind), { kind }])) as Record<
  ItemList,
  { kind: ItemKind }
>

export const listNames = itemKinds.map((kind) => listNameOf(kind))

/** The list that a segment of a URL names. */
export const oneOf = (segment: string): ItemList | undefined =>
  Object.hasOwn(itemLists, segment) ? (segment as ItemList) : undefined

export const itemListOf = listNameOf

/** The page of an item. */
export const pathOf = ({ kind, slug }: Pick<Item, 'kind' | 'slug'>) => `/library/${itemListOf(kind)}/${slug}`

/** The page of a file of an item; without a version of the current one. */
export const filePathOf = (item: Pick<Item, 'kind' | 'slug'>, path: string, version?: string) =>
  `${pathOf(item)}/files/${path.split('/').map(encodeURIComponent).join('/')}${version ? `?version=${encodeURIComponent(version)}` : ''}`

export const shown = ({ meta, ...item }: Item): ShownItem => ({ ...item, gallery: meta['gallery'] === true })

/** The one list of orgs, of the gallery and of the library. */
export const ORGS = '/community/orgs'

export const galleryPath = ({ slug }: Pick<Item, 'slug'>) => `${ORGS}/${slug}`

/** The one page of an item: for an org of the gallery that of the gallery. */
export const homeOf = (item: Pick<ShownItem, 'kind' | 'slug' | 'gallery'>) =>
  item.gallery ? galleryPath(item) : pathOf(item)

/** The list of a kind; of all without one. */
export function listPath(list: ItemList | undefined): string {
  if (list === 'orgs') return ORGS
  return list ? `/library/${list}` : '/library'
}

/** The vote target below /api/community; undefined for a private item. */
export function voteTarget({ id, visibility, gallery }: Pick<ShownItem, 'id' | 'visibility' | 'gallery'>) {
  if (gallery) return `orgs/${id}`
  return visibility === 'private' ? undefined : `library/${id}`
}

/** The page of an item that is named as `kind/slug`. */
export const pathOfName = (name: string) => `/library/${name.replace('/', 's/')}`

/** As many users as the server counts. */
const MOST_USERS = 1_000

/** "1 item", "3 items", "1,000 or more items" */
export const usersInWords = (t: SiteWords, total: number): string =>
  total >= MOST_USERS
    ? t('library.countMore', { count: t.number(MOST_USERS) })
    : t('library.count', { count: total, shown: t.number(total) })

/** The order of a list of items where none is chosen: what works best, and of one's own what changed last. */
export const defaultSort = (scope: string): 'best' | 'latest' =>
  scope === 'mine' || scope === 'maintained' ? 'latest' : 'best'
