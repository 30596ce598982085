// What things are about: a version of an item of the library. Who sees an item knows that it is meant; to others it does not show.
import type { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Context } from '../../request/handler.ts'
import type { AboutVersion, VersionName } from './contract.ts'
import { type AboutFilter, deleteFeedback, keepVersion, listFeedback, putFeedback, type VersionKey } from './queries.ts'

export type Seeing = Pick<Context, 'db' | 'caller' | 'config'>
export type VersionNamed = z.output<typeof VersionName>
export type About = Omit<z.output<typeof AboutVersion>, 'href'>

/** What the library says of items to a caller. */
export interface ItemsSeen {
  /** A version of an item that the caller sees; throws `not_found`, and `invalid_request` for what is no version. */
  getVersion(context: Seeing, named: VersionNamed): Promise<VersionKey>
  /** The same for a filter: an item or a version that the caller does not see is undefined. */
  find(context: Seeing, named: { item: string; version?: string | undefined }): Promise<Filter | undefined>
  /** Those of these items that the caller sees, by their ids. */
  list(context: Seeing, ids: readonly string[]): Promise<ReadonlyMap<string, SeenItem>>
}

type Filter = Pick<VersionKey, 'itemId'> & Partial<VersionKey>
type SeenItem = Pick<About, 'kind' | 'slug' | 'name'> & { urlOf(version: string): string }

export interface AboutField {
  about?: About
}

const NOTHING: AboutField = {}

/** What the things of a type are about. */
export interface Concerning {
  /** Says what a locked thing is about, null for nothing; gives whether that is new. */
  put(context: Seeing, db: Transaction, given: { id: string; about: VersionNamed | null }): Promise<boolean>
  /** What answers have of it. */
  of(context: Seeing, things: readonly { id: string }[]): Promise<(thing: { id: string }) => AboutField>
  /** How a list is filtered by an item and a version: by nothing that the caller does not see. */
  find(context: Seeing, named: { item: string; version?: string | undefined }): Promise<AboutFilter>
  /** The filters of a list, with what the caller sees of an item and a version. */
  filter<Given extends Filters>(context: Seeing, given: Given): Promise<Narrowed<Given>>
}

type Narrowed<Given> = Omit<Given, keyof Filters> & Partial<AboutFilter>

export interface Filters {
  item?: string | undefined
  version?: string | undefined
}

export function concerning(type: string, items: ItemsSeen): Concerning {
  const find: Concerning['find'] = async (context, named) => {
    const found = await items.find(context, named)
    return { aboutItemId: found?.itemId ?? '', aboutNumber: found?.number?.toString() }
  }
  return {
    find,
    async put(context, db, { id, about }) {
      if (about === null) return (await deleteFeedback(db, [id])) > 0
      const key = await items.getVersion({ ...context, db }, about)
      // It may be gone since it was read.
      if (!(await keepVersion(db, key))) throw new Problem('not_found', 'No such item')
      return putFeedback(db, { thingId: id, type, ...key })
    },

    async of(context, things) {
      if (things.length === 0) return () => NOTHING
      const ids = things.map(({ id }) => id)
      const rows = await listFeedback(context.db, ids)
      if (rows.length === 0) return () => NOTHING
      const seen = await items.list(context, [...new Set(rows.map(({ itemId }) => itemId))])
      const versions = new Map(rows.map((row) => [row.thingId, row]))
      return ({ id }) => {
        const { itemId = '', version = '' } = versions.get(id) ?? {}
        const item = seen.get(itemId)
        if (!item) return NOTHING
        const { urlOf, ...named } = item
        return { about: { item: itemId, ...named, version, url: urlOf(version) } }
      }
    },

    async filter(context, given) {
      const { item, version, ...others } = given
      if (item === undefined && version !== undefined)
        throw new Problem('invalid_request', 'version: give the item of it too')
      return item === undefined ? others : { ...others, ...(await find(context, { item, version })) }
    },
  }
}
