// What other slices may do with orgs of the gallery.
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import { deleteSlug } from '../../slugs/slugs.ts'
import { deleteComments } from '../comments/comments.ts'
import { withdraw } from '../publication.ts'
import { listImageKeys } from './images/queries.ts'
import { deleteOrg } from './queries.ts'
import { listRunFileKeys } from './runs/queries.ts'

/**
 * Removes an org that is locked, and everything that hangs on it. Gives the keys of its stored files, to be removed
 * (stored-files.ts) once the transaction is committed.
 */
export async function removeOrg(db: Transaction, org: Pick<OrgUploadTable, 'id' | 'authorId'>): Promise<string[]> {
  const keys = [...(await listImageKeys(db, org.id)), ...(await listRunFileKeys(db, org.id))]
  await deleteOrg(db, org)
  await deleteComments(db, { targetType: 'org', targetId: org.id })
  await withdraw(db, org.id)
  await deleteSlug(db, 'org', org.id)
  return keys
}
