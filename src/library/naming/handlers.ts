// Files of items by their names, and what names mean.

import type { Config } from '../../config/config.ts'
import { stateOf } from '../../content/hiding/rules.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import { artifactAnswer, type DownloadCounter } from '../finding/artifact.ts'
import { findVersion, type ItemRow } from '../queries.ts'
import { getVisible } from '../record.ts'
import { exactOf, type VersionChoice, wantedOf } from './choosing.ts'
import type { naming } from './contract.ts'
import { resolveNames } from './resolving.ts'
import { ItemVersions } from './versions.ts'

export const namingHandlers = (given: DownloadCounter): Handlers<typeof naming> => ({
  async file(context, { kind, slug, version: asked }) {
    if (!context.config.publicDownloads) context.requireCaller()
    const item = await getVisible(context, { kind, slug })
    const wanted = wantedOf(asked)
    if (!wanted) throw new Problem('invalid_request', 'version: must be a version, a range such as ^1.4, or latest')
    const exact = exactOf(wanted)
    const version =
      exact !== undefined
        ? await findVersion(context.db, item.id, exact)
        : await new ItemVersions(context.db, item.id).choose(wanted)
    if (!version) throw new Problem('not_found', `No version of this item is ${asked}`)
    const answer = await artifactAnswer({ ...context, ...given }, item, version)
    const caching = { 'Cache-Control': cacheControl(context.config, item, wanted) }
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
