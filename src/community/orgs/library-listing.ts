// The library shows every org of the gallery as a public item (interface.md, section 2, Library item). The gallery updates that
// item here, in its own transactions.
import type { GalleryItems, GalleryOrg } from '../../content/gallery.ts'
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import { describedAs, titleOf } from './rules.ts'

type OrgTexts = Pick<OrgUploadTable, 'name' | 'goal' | 'tagline' | 'description'>

const shown = (org: OrgTexts) => ({
  name: titleOf(org),
  description: describedAs(org),
  keywords: [org.goal, org.tagline].filter(Boolean).join('\n'),
})

export function addToLibrary(
  library: GalleryItems,
  db: Transaction,
  org: OrgTexts & Omit<GalleryOrg, 'description' | 'ownerId'> & { authorId: string },
): Promise<void> {
  const { id, slug, authorId: ownerId, topology, roleCount, sha256, size, createdAt, viaClientId, names } = org
  const about = { topology, roleCount, sha256, size, createdAt, viaClientId, ownerId, names }
  return library.addGalleryOrg(db, { id, slug, ...shown(org), ...about })
}

/** `body` is given when it changed. */
export function updateInLibrary(
  library: GalleryItems,
  db: Transaction,
  { id, updatedAt, ...org }: OrgTexts & { id: string; updatedAt: string; body?: string | null },
): Promise<void> {
  const readme = org.body !== undefined && { readme: org.body }
  return library.updateGalleryOrg(db, id, { ...shown(org), ...readme, updatedAt })
}
