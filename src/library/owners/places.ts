// What accounts are invited to: an item, or a team. Its row guards its people and invitations, and is locked before them.
import type { StoredItem } from '../queries.ts'
import { pathOf } from '../record.ts'

/** A locked item or team. */
export interface Place {
  type: 'item' | 'team'
  id: string
  /** What people call it. */
  title: string
  /** Where the site shows it. */
  url: string
}

/** The columns of an invitation that name its place. An item that is offered to a team has the team in `teamId`. */
export const keyOf = ({ type, id }: Pick<Place, 'type' | 'id'>): { itemId: string | null; teamId: string | null } =>
  type === 'item' ? { itemId: id, teamId: null } : { itemId: null, teamId: id }

export const itemPlace = (item: Pick<StoredItem, 'id' | 'name' | 'kind' | 'slug'>): Place => ({
  ...{ type: 'item', id: item.id, title: item.name, url: pathOf(item) },
})

export const teamPath = (slug: string): string => `/teams/${slug}`

export const teamPlace = ({ id, name, slug }: { id: string; name: string; slug: string }): Place => ({
  ...{ type: 'team', id, title: name, url: teamPath(slug) },
})
