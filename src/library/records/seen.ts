// What the library says of its items where things are about them: nothing of those that the caller does not see.
import type { ItemsSeen } from '../../content/about/about.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { listItems } from '../items/queries.ts'
import { assertVersion, canSee } from '../items/rules.ts'
import { getVersion, getVisible, pathOf, refOf, withRoles } from './record.ts'

const none = (error: unknown): undefined => {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}

export const itemsSeen: ItemsSeen = {
  async getVersion(context, { item: name, version }) {
    const item = await getVisible(context, refOf(name))
    const { number } = await getVersion(context, item, version)
    return { itemId: item.id, number }
  },

  async find(context, { item: name, version }) {
    assertVersion(version)
    const item = await getVisible(context, refOf(name)).catch(none)
    if (!item || version === undefined) return item && { itemId: item.id }
    const found = await getVersion(context, item, version).catch(none)
    return found && { itemId: item.id, number: found.number }
  },

  async list({ db, caller, config }, ids) {
    const rows = await withRoles(db, caller, await listItems(db, ids))
    const off = partsOff(config)
    const seen = rows.filter((row) => canSee(caller, row) && !off.kinds.has(row.kind))
    return new Map(
      seen.map(({ id, kind, slug, name }) => {
        const urlOf = (version: string) => `${pathOf({ kind, slug })}/versions/${encodeURIComponent(version)}`
        return [id, { kind, slug, name, urlOf }]
      }),
    )
  },
}
