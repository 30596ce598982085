// Lists: a page is cut out of a walk along an index, at any size and for any filter (behaviour.md, section 3).
export { type Ids, idsAlong, inOrder, pageOf, type Stretch } from './queries.ts'

export interface Page<Item> {
  items: Item[]
  hasMore: boolean
  total: number
}
