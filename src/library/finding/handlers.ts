// Finding items, reading about them and downloading them.

import { viaOf } from '../../content/via.ts'
import { besideKinds } from '../../contract/item-kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { type PageRequest, pageOfRows } from '../../database/cursor.ts'
import { fold } from '../../database/search.ts'
import type { Permission } from '../../formats/permissions.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import type { finding, reading } from '../items/finding-contract.ts'
import { kinds as itemKinds, type Kind } from '../items/item-contract.ts'
import { type ItemRow, listVersions, type VersionFile } from '../items/queries.ts'
import { artifactAnswer, type DownloadCounter } from '../reading/artifact.ts'
import {
  artifactUrl,
  countsOf,
  getVisible,
  itemsOf,
  oneItem,
  type ReadContext,
  type Ref,
  type VersionRequest,
  versionAsked,
  versionOf,
} from '../records/record.ts'
import { detailsOfVersion } from '../records/version-details.ts'
import { countTags, listTags } from './queries.ts'
import { findItems } from './search.ts'

/** The formats of files are known to these alone. */
export interface Readers {
  readFile: ReadContext['readFile']
  /** What a version may do, and what of that the version before it may not. */
  newPermissionsOf(
    context: Context,
    item: ItemRow,
    version: VersionFile,
  ): Promise<{ may_do: Permission[]; may_do_more: { than: string; permissions: Permission[] } | null }>
}

/** One kind, or all but some: those whose parts are off, and those beside the contract unless all are asked for. */
function kindsOf({ config }: Pick<Context, 'config'>, asked: Kind | 'all' | undefined) {
  const { kinds } = partsOff(config)
  const isLeft = (kind: Kind) => kinds.has(kind) || (asked === undefined && besideKinds.includes(kind))
  return { kind: asked === 'all' ? undefined : asked, without: itemKinds.filter(isLeft) }
}

const readItem = async (context: Context, ref: Ref) => oneItem(context, await getVisible(context, ref))

async function readReadme(context: ReadContext, asked: VersionRequest) {
  const { item, version } = await versionAsked(context, asked)
  const { readme } = await detailsOfVersion(context, item, version)
  return { version: version.version, readme }
}

async function readContents(context: Context & Readers, asked: VersionRequest) {
  const { item, version } = await versionAsked(context, asked)
  const { files, permissions, frontmatter } = (await detailsOfVersion(context, item, version)).contents
  const told = { version: version.version, files, permissions, ...(frontmatter && { frontmatter }) }
  return { ...told, ...(await context.newPermissionsOf(context, item, version)) }
}

async function readVersions(context: Context, { page, per_page, cursor, ...ref }: Ref & PageRequest) {
  const { id } = await getVisible(context, ref)
  const url = artifactUrl(context.config.baseUrl, id)
  const request = { page: page - 1, per_page, cursor }
  const list = { list: ['versions', id], by: { number: 0 } }
  const {
    items: versions,
    hasMore: _,
    ...end
  } = await pageOfRows(request, list, ({ after, ...range }) =>
    listVersions(context.db, id, { ...range, below: after && Number(after[0]) }),
  )
  const numbers = versions.map(({ version }) => version)
  const counts = await countsOf(context.db, id, numbers)
  const via = await viaOf(context, versions)
  return { versions: versions.map((version) => ({ ...versionOf(version, url, counts), via: via(version) })), ...end }
}

async function readArtifact(
  context: Context & DownloadCounter,
  { redirect, ...asked }: VersionRequest & { redirect?: 'follow' | undefined },
) {
  const { item, version } = await versionAsked(context, asked)
  return artifactAnswer(context, item, { ...version, redirect })
}

export const findingHandlers: Handlers<typeof finding> = {
  async list(context, { scope, kind, team, owner, q = '', tag = '', sort, page, per_page, cursor }) {
    const ownerId = scope === 'mine' || scope === 'maintained' ? context.requireCaller().id : ''
    const { items, total, nextCursor } = await findItems(context.db, {
      filters: { scope, ownerId, team, owner, ...kindsOf(context, kind) },
      wanted: { q: fold(q), tag },
      sort,
      page: page - 1,
      per_page,
      cursor,
    })
    return {
      items: await itemsOf(context, items),
      page,
      per_page,
      total,
      ...(nextCursor !== undefined && { nextCursor }),
    }
  },

  async tags({ db, config }, { kind, scope, page, per_page, cursor }) {
    const of = { scope, ...kindsOf({ config }, kind) }
    const list = { list: ['tags', kind ? `${scope}/${kind}` : scope], by: { count: 0, tag: '' } }
    const request = { page: page - 1, per_page, cursor }
    const { hasMore: _, ...found } = await pageOfRows(request, list, (range) => listTags(db, of, range))
    return { ...found, page, per_page, total: await countTags(db, of) }
  },
}

export function readingHandlers({ downloads, ...readers }: Readers & DownloadCounter): Handlers<typeof reading> {
  const readme = (context: Context, asked: VersionRequest) => readReadme({ ...context, ...readers }, asked)
  const contents = (context: Context, asked: VersionRequest) => readContents({ ...context, ...readers }, asked)
  return {
    get: readItem,
    find: readItem,
    readme,
    findReadme: readme,
    contents,
    findContents: contents,
    versions: readVersions,
    findVersions: readVersions,
    download: (context, asked) => readArtifact({ ...context, downloads }, asked),
    findDownload: (context, asked) => readArtifact({ ...context, downloads }, asked),
  }
}
