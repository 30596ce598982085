// The library shows every org of the gallery as a public item (interface.md, section 2, Library item). The gallery updates that
// item here, in its own transactions. The library's functions are handed in by app.ts.
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import { describedAs, titleOf } from './rules.ts'

/** What the gallery needs of the library. */
export interface Library {
  addGalleryOrg(
    db: Transaction,
    org: Shown & Pick<OrgUploadTable, 'id' | 'slug' | Kept> & { ownerId: string },
  ): Promise<void>
  /** `readme` is given when it changed. */
  updateGalleryOrg(
    db: Transaction,
    id: string,
    changes: Shown & { readme?: string | null; updatedAt: string },
  ): Promise<void>
  addToGalleryOrg(db: Transaction, id: string, counts: { score: number }): Promise<void>
  removeGalleryOrg(db: Transaction, id: string): Promise<void>
}

type Kept = 'roleCount' | 'topology' | 'sha256' | 'size' | 'createdAt'
type Listed = Pick<OrgUploadTable, 'name' | 'goal' | 'tagline' | 'description'>
type Shown = ReturnType<typeof shown>

const shown = (org: Listed) => ({
  name: titleOf(org),
  description: describedAs(org),
  keywords: [org.goal, org.tagline].filter(Boolean).join('\n'),
})

export function addToLibrary(
  library: Library,
  db: Transaction,
  org: Listed & Pick<OrgUploadTable, 'id' | 'slug' | 'authorId' | Kept>,
): Promise<void> {
  const { id, slug, authorId, topology, roleCount, sha256, size, createdAt } = org
  const kept = { topology, roleCount, sha256, size, createdAt }
  return library.addGalleryOrg(db, { id, slug, ...shown(org), ...kept, ownerId: authorId })
}

/** `body` is given when it changed. */
export function updateInLibrary(
  library: Library,
  db: Transaction,
  { id, updatedAt, ...org }: Listed & { id: string; updatedAt: string; body?: string | null },
): Promise<void> {
  return library.updateGalleryOrg(db, id, {
    ...shown(org),
    ...(org.body !== undefined && { readme: org.body }),
    updatedAt,
  })
}
