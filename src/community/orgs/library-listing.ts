// The library shows every org of the gallery as a public item (interface.md, section 2, Library item). What it says of one
// is said here, in the transactions of the gallery.
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import { addGalleryOrg, addToGalleryOrg, removeGalleryOrg, updateGalleryOrg } from '../../library/library.ts'
import { describedAs, titleOf } from './rules.ts'

type Listed = Pick<OrgUploadTable, 'name' | 'goal' | 'tagline' | 'description'>

const shown = (org: Listed) => ({
  name: titleOf(org),
  description: describedAs(org),
  keywords: [org.goal, org.tagline].filter(Boolean).join('\n'),
})

export function list(
  db: Transaction,
  org: Listed &
    Pick<OrgUploadTable, 'id' | 'slug' | 'authorId' | 'topology' | 'roleCount' | 'sha256' | 'size' | 'createdAt'>,
): Promise<void> {
  const { id, slug, authorId, topology, roleCount, sha256, size, createdAt } = org
  return addGalleryOrg(db, { id, slug, ...shown(org), roleCount, topology, sha256, size, ownerId: authorId, createdAt })
}

/** `body` is there when it changed. */
export function relist(
  db: Transaction,
  id: string,
  org: Listed & { body?: string | null },
  updatedAt: string,
): Promise<void> {
  return updateGalleryOrg(db, id, {
    ...shown(org),
    ...(org.body !== undefined && { readme: org.body }),
    updatedAt,
  })
}

export const addScore = (db: Transaction, id: string, delta: number): Promise<void> =>
  addToGalleryOrg(db, id, { score: delta })

export const unlist = (db: Transaction, id: string): Promise<void> => removeGalleryOrg(db, id)
