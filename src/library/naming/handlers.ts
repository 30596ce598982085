// Files of items by their names, and what names mean.

import type { Config } from '../../config/config.ts'
import { stateOf } from '../../content/hiding/rules.ts'
import type { Handlers } from '../../request/handler.ts'
import type { ItemRow } from '../items/queries.ts'
import { artifactAnswer, type DownloadCounter } from '../reading/artifact.ts'
import { getVisible } from '../records/record.ts'
import { exactOf, type VersionChoice } from './choosing.ts'
import type { naming } from './contract.ts'
import { resolveNames } from './resolving.ts'
import { getChosen } from './versions.ts'

export const namingHandlers = (given: DownloadCounter): Handlers<typeof naming> => ({
  async file(context, { kind, slug, version: asked, redirect }) {
    if (!context.config.publicDownloads) context.requireCaller()
    const item = await getVisible(context, { kind, slug })
    const { choice, version } = await getChosen(context.db, item.id, { field: 'version', asked })
    const answer = await artifactAnswer({ ...context, ...given }, item, { ...version, redirect })
    const caching = { 'Cache-Control': cacheControl(context.config, item, choice) }
    return { ...answer, headers: { ...answer.headers, ...caching } }
  },

  async resolve(context, { items }) {
    return { items: await resolveNames(context, items) }
  },
})

/** What everybody sees may be cached by everyone; the file of an exact version never changes (RFC 8246). */
function cacheControl({ publicDownloads }: Config, item: ItemRow, wanted: VersionChoice): string {
  const isOpen = publicDownloads && item.visibility !== 'private' && stateOf(item) === undefined
  const isLasting = isOpen && exactOf(wanted) !== undefined
  return `${isOpen ? 'public' : 'private'}, ${isLasting ? 'max-age=31536000, immutable' : 'no-cache'}, no-transform`
}
