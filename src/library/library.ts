// What other slices may ask of the library: the gallery, which shows its orgs here, and the operator's commands.
import type { GalleryItems } from '../content/gallery.ts'
import type { Db } from '../database/schema.ts'
import { parseJson } from '../runtime/untyped.ts'
import { addItem, changeItem, removeItem } from './changing/changes.ts'
import { clawhubPaths } from './clawhub/paths.ts'
import { reassignItem } from './holders/holding.ts'
import { wholeMeta } from './items/meta-summary.ts'
import { addToItems, lockAnyItem } from './items/queries.ts'
import { FIRST_VERSION } from './items/rules.ts'
import { insertDetails, listArtifacts, listUses, updateReadme } from './items/version-queries.ts'
import { marketplaceList, marketplacePath } from './marketplace/paths.ts'
import { mcpRegistryPaths } from './mcp-registry/paths.ts'
import { checkOutcomes, checkRanks } from './outcomes/counting.ts'
import { freeVersion } from './statements/gone.ts'
import { findLeaf, listStated } from './statements/queries.ts'
import { digestOf, readPayload } from './statements/statement.ts'
import { holdNames, insertDependencies, listWronglyShown } from './uses/queries.ts'

// `npm run admin -- verify`: statements of versions against the versions and the log, and the names that count as uses against the versions
// that items show.

const AT_ONCE = 200
const MAX_REPORTED = 100

/** Reports each version whose statement, or whose leaf, is about another file, and each public one that the log should have and has not. */
export async function checkStatements(db: Db, report: (sentence: string) => void): Promise<void> {
  let after = { itemId: '', version: '' }
  for (;;) {
    const rows = await listStated(db, after, AT_ONCE)
    for (const { itemId, version, payload, isLogged, sha256 } of rows) {
      const name = `version ${version} of item ${itemId}`
      if (readPayload(payload).sha256 !== sha256) report(`The statement of ${name} is about another file`)
      const leaf = isLogged === 1 ? await findLeaf(db, { itemId, version }) : undefined
      const said = leaf && parseJson<{ sha256: string; statement: string }>(leaf.text)
      if (isLogged === 1 && !said) report(`The log has no leaf of ${name}`)
      if (said && said.sha256 !== sha256) report(`The log has another file of ${name}`)
      if (said && said.statement !== digestOf(payload)) report(`The log has another statement of ${name}`)
    }
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last
  }
}

/** Reports each version whose names count and should not, or the other way round; a hundred at most. */
export async function checkUses(db: Db, report: (sentence: string) => void): Promise<void> {
  for (const { itemId, version } of await listWronglyShown(db, MAX_REPORTED)) {
    report(`What version ${version} of item ${itemId} names is counted wrongly`)
  }
}

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
