// Handlers for the search over everything.
import { feedKinds } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import type { Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { findDocuments, type Hit } from '../../search/finding.ts'
import { findSimilar } from '../../search/similar.ts'
import { mapChanges } from '../feed/queries.ts'
import { withVia } from '../via.ts'
import { MAX_SIMILAR, type search } from './contract.ts'
import { mapEntries } from './queries.ts'
import { suggest } from './suggesting.ts'

/** The title of a blog post, which is a file and no document; undefined where there is none. */
export type BlogTitle = (slug: string) => Promise<string | undefined>

export function searchHandlers(blogTitle: BlogTitle): Handlers<typeof search> {
  return {
    async find(context, { q, type: types = [], by, sort, ...request }) {
      const { db, now, config } = context
      const off = partsOff(config)
      const { items, ...found } = await findDocuments(db, { q, types, by, sort, ...request, now: Date.parse(now), off })
      const shown = await Promise.all(items.map((hit) => showing(hit, blogTitle)))
      const there = shown.filter((hit) => hit !== undefined)
      const [hits, changeOf] = await Promise.all([withVia(context, there), mapChanges(db, there)])
      const changed = hits.map((hit) => ({ ...hit, updatedAt: changeOf.get(hit.id)?.updatedAt ?? hit.createdAt }))
      return { items: changed, ...found }
    },

    suggest: ({ db, now, config }, input) => suggest(db, { ...input, now: Date.parse(now), off: partsOff(config) }),

    async similar({ db, now, config }, { title, type }) {
      const { kinds } = partsOff(config)
      const types = (type === undefined ? feedKinds : [type]).filter((one) => !kinds.has(one))
      if (types.length === 0) return { items: [] }
      const found = await findSimilar(db, { title, types, limit: MAX_SIMILAR, now: Date.parse(now) })
      const entries = await mapEntries(
        db,
        found.map(({ id }) => id),
      )
      return {
        items: found.flatMap(({ id, likely }) => (entries.has(id) ? { ...required(entries.get(id)), likely } : [])),
      }
    },
  }
}

/** A comment has the title of what it is on; undefined where that is a blog post that is gone. */
async function showing({ parentType, parentId, parentTitle, ...hit }: Hit, blogTitle: BlogTitle) {
  if (parentId === null) return hit
  const title = parentType === 'blog' ? await blogTitle(parentId) : parentTitle
  return title == null ? undefined : { ...hit, title: [{ text: title, match: false }] }
}
