// What other slices may ask of the library: the gallery, which shows its orgs here, and the operator's commands.
import type { GalleryItems } from '../content/gallery.ts'
import { addItem, changeItem, removeItem } from './changing/changes.ts'
import { clawhubPaths } from './clawhub/paths.ts'
import { reassignItem } from './holders/passing.ts'
import { wholeMeta } from './items/meta-summary.ts'
import { addToItems, lockAnyItem } from './items/queries.ts'
import { FIRST_VERSION } from './items/rules.ts'
import { insertDetails, listArtifacts, listUses, updateReadme } from './items/version-queries.ts'
import { marketplaceList, marketplacePath } from './marketplace/paths.ts'
import { mcpRegistryPaths } from './mcp-registry/paths.ts'
import { checkOutcomes } from './outcomes/counting.ts'
import { checkRanks } from './outcomes/ranking.ts'
import { freeVersion } from './statements/gone.ts'
import { holdNames, insertDependencies } from './uses/queries.ts'

export { checkStatements, checkUses } from './checking.ts'
export { teamBounds } from './holders/rules.ts'
export { pendingInvitations } from './owners/inviting.ts'
export { trustedPublishers } from './publishers/letting.ts'
export { deletePublishers } from './publishers/queries.ts'
export { decidersOf, isStaged, mayDecide } from './publishers/staging.ts'
export { itemsSeen } from './records/seen.ts'
export { backfillLog } from './statements/logging.ts'
export { revokeKeysOf } from './statements/queries.ts'
export { checkOutcomes, checkRanks, holdNames, listArtifacts, listUses }

/** The operations that skills are read by over MCP. */
export const skillOperations = {
  list: 'library.list',
  contents: 'library.findContents',
  file: 'library.findFile',
}
/** What is read in the words of other protocols. */
export const readPaths = [...mcpRegistryPaths, marketplaceList]
export const gitPaths = [marketplacePath]
export const askedPaths = clawhubPaths

const gallery: GalleryItems = {
  holdNames,

  async addGalleryOrg(db, { roleCount, topology, keywords = '', readme = null, names = [], ...org }) {
    const { id, slug, size, createdAt } = org
    const { sha256 } = org
    const gone = { kind: 'org', slugs: [slug], asked: undefined, otherwise: FIRST_VERSION, sha256 } as const
    const version = await freeVersion(db, gone)
    const meta = { role_count: roleCount, topology, gallery: true }
    const item = {
      ...{ ...org, keywords, updatedAt: createdAt, meta },
      ...({ kind: 'org', visibility: 'public', gallery: 1, version, tags: [] } as const),
    }
    const contents = JSON.stringify({ files: [{ path: `${slug}.json`, size }], permissions: null })
    return addItem(db, item, async () => {
      await insertDetails(db, { itemId: id, version, readme, contents, meta: wholeMeta(meta) })
      await insertDependencies(db, { itemId: id, version, names })
    })
  },

  async updateGalleryOrg(db, id, { readme, ...changes }) {
    await changeItem(db, await lockAnyItem(db, id), changes)
    if (readme !== undefined) await updateReadme(db, id, readme)
  },

  setGalleryOrgHidden: async (db, id, hidden) => changeItem(db, await lockAnyItem(db, id), { hidden }),

  addToGalleryOrgs: addToItems,

  /** Votes, comments and the slug are the gallery's to remove. */
  removeGalleryOrg: async (db, id) => removeItem(db, await lockAnyItem(db, id)),
  reassignGalleryOrg: async (db, id, ownerId) => reassignItem(db, await lockAnyItem(db, id), { ownerId }),
}
export const { addGalleryOrg, updateGalleryOrg, setGalleryOrgHidden, addToGalleryOrgs } = gallery
export const { removeGalleryOrg, reassignGalleryOrg } = gallery
