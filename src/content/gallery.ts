// What the org gallery and the library know of each other: the library shows every org of the gallery as a public item. The domains do
// not import each other; app.ts hands the functions in.
import type { Transaction } from '../database/schema.ts'
import type { ItemName } from '../formats/named-items.ts'

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
  viaClientId?: string | null
  /** What it is found by beyond name, description and slug: goal and tagline. */
  keywords?: string
  /** Its body, in Markdown. */
  readme?: string | null
  /** The items that its definition names; they are held (`holdNames`). */
  names?: readonly ItemName[]
}

/** Each in the gallery's own transaction. */
export interface GalleryItems {
  /** Holds what a definition names, before any counter is locked: no such item is deleted until the transaction ends. */
  holdNames(db: Transaction, names: readonly ItemName[]): Promise<void>
  addGalleryOrg(db: Transaction, org: GalleryOrg): Promise<void>
  /** What is left out stays as it is. */
  updateGalleryOrg(
    db: Transaction,
    id: string,
    changes: Partial<Pick<GalleryOrg, 'name' | 'description' | 'keywords' | 'readme'>> & { updatedAt: string },
  ): Promise<void>
  /** As the gallery hides its org: why, as bits (content/hiding/rules.ts). */
  setGalleryOrgHidden(db: Transaction, id: string, hidden: number): Promise<void>
  addToGalleryOrgs(db: Transaction, scores: readonly { id: string; score: number }[]): Promise<void>
  removeGalleryOrg(db: Transaction, id: string): Promise<void>
  /** Gives an org to another account, with the bytes that it counts for. */
  reassignGalleryOrg(db: Transaction, id: string, ownerId: string): Promise<void>
}
