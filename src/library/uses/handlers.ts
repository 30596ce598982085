// What items name, and what names them: each a few statements, for any number of names.

import { partsOff } from '../../contract/parts.ts'
import { type PageRequest, pageOfAll } from '../../database/cursor.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { canSee } from '../items/rules.ts'
import { listNamed } from '../naming/queries.ts'
import { getVisible, pathOf, type Ref, type VersionRequest, versionAsked, withRoles } from '../records/record.ts'
import type { uses } from './contract.ts'
import { listNames } from './queries.ts'
import { listItems, listUserIds } from './user-queries.ts'

/** So many names are answered; a file names a hundred, and a workflow may require more automations than that. */
const MAX_NAMES = 500

type ReferencedItem = Pick<
  Awaited<ReturnType<typeof listNamed>>[number],
  'id' | 'kind' | 'slug' | 'name' | 'version' | 'ownerId' | 'ownerUsername' | 'ownerName' | 'deprecation'
>

const referenceOf = (row: ReferencedItem, baseUrl: string) => ({
  ...{ id: row.id, kind: row.kind, slug: row.slug, name: row.name, version: row.version },
  owner: { id: row.ownerId, username: row.ownerUsername, name: row.ownerName },
  url: baseUrl + pathOf(row),
  ...(row.deprecation !== null && { deprecated: true as const }),
})

async function readDependencies(context: Context, asked: VersionRequest) {
  const { db, caller, config } = context
  const { item, version } = await versionAsked(context, asked)
  const names = (await listNames(db, { itemId: item.id, version: version.version })).slice(0, MAX_NAMES)
  const found = names.length > 0 ? await withRoles(db, caller, await listNamed(db, names)) : []
  const off = partsOff(config)
  const seen = found.filter((one) => canSee(caller, one) && !off.kinds.has(one.kind))
  const byName = new Map(seen.map((one) => [`${one.kind}/${one.asked}`, one]))
  const items = names.map(({ kind, slug }) => {
    const one = byName.get(`${kind}/${slug}`)
    return { kind, slug, item: one ? referenceOf(one, config.baseUrl) : null }
  })
  return { version: version.version, items }
}

async function readUsers(context: Context, { page, per_page, cursor, ...ref }: Ref & PageRequest) {
  const { db, config } = context
  const item = await getVisible(context, ref)
  const users = await listUserIds(db, item)
  const off = partsOff(config)
  const on = off.key === '' ? undefined : (await listItems(db, users)).filter(({ kind }) => !off.kinds.has(kind))
  const ids = on ? on.map(({ id }) => id) : users
  const list = { list: ['used by', item.id], idOf: (id: string) => id }
  const { items: some, hasMore: _, ...end } = await pageOfAll({ page: page - 1, per_page, cursor }, list, ids)
  const items = (await listItems(db, some)).map((row) => referenceOf(row, config.baseUrl))
  return { items, page, per_page, total: ids.length, ...end }
}

export const usesHandlers: Handlers<typeof uses> = {
  dependencies: readDependencies,
  findDependencies: readDependencies,
  usedBy: readUsers,
  findUsedBy: readUsers,
}
