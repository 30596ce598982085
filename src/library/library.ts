// What other slices may ask of the library: the gallery, which shows its orgs here, and the operator's commands.
import type { Db, Transaction } from '../database/schema.ts'
import { deleteEmptyCounts } from './indexing-queries.ts'
import { addItem, changeItem, removeItem } from './publishing/changes.ts'
import { deleteOldUploads } from './publishing/rate.ts'
import { addToItem, isArtifactUsed, listArtifacts, listUses, lockItem, updateReadme } from './queries.ts'
import { FIRST_VERSION } from './rules.ts'

export { isArtifactUsed, listArtifacts, listUses }

/** An org of the gallery, as the library shows it. */
export interface GalleryOrg {
  id: string
  /** Taken by the gallery in the space of slugs, and given back by it. */
  slug: string
  name: string
  description: string
  roleCount: number
  topology: string | null
  /** Of the stored text, which the gallery commits to the artifacts; size in bytes. */
  sha256: string
  size: number
  ownerId: string
  createdAt: string
  /** What it is found by beyond name, description and slug: goal and tagline. */
  keywords?: string
  /** Its body, in Markdown. */
  readme?: string | null
}

type GalleryChanges = Partial<Pick<GalleryOrg, 'name' | 'description' | 'keywords' | 'readme'>> & { updatedAt: string }

const metaOf = ({ roleCount, topology }: GalleryOrg) => ({ role_count: roleCount, topology, gallery: true })

/** Shows an org of the gallery as a public item, in the gallery's own transaction. */
export function addGalleryOrg(db: Transaction, org: GalleryOrg): Promise<void> {
  const { id, slug, name, description, sha256, size, ownerId, createdAt, keywords = '', readme = null } = org
  return addItem(db, {
    ...{ id, slug, name, description, sha256, size, ownerId, keywords, readme, createdAt, updatedAt: createdAt },
    ...{ kind: 'org', visibility: 'public', gallery: 1, version: FIRST_VERSION, tags: [], meta: metaOf(org) },
    contents: { files: [{ path: `${slug}.json`, size }], permissions: null },
  })
}

/** Says in the library what the gallery now says. */
export async function updateGalleryOrg(
  db: Transaction,
  id: string,
  { readme, ...changes }: GalleryChanges,
): Promise<void> {
  await changeItem(db, await lockItem(db, id), changes)
  if (readme !== undefined) await updateReadme(db, id, readme)
}

/** Adds to what the library shows of an org's votes. */
export function addToGalleryOrg(db: Transaction, id: string, { score }: { score: number }): Promise<void> {
  return addToItem(db, id, { score })
}

/** Takes an org out of the library. Votes, comments and the slug are the gallery's to remove. */
export async function removeGalleryOrg(db: Transaction, id: string): Promise<void> {
  await removeItem(db, await lockItem(db, id))
}

/** Forgets uploads that no longer count and tags that nothing carries. */
export async function cleanUp(db: Db, now: string): Promise<void> {
  await deleteOldUploads(db, now)
  await deleteEmptyCounts(db)
}
