// What acts for an account by itself, which goes with its credentials where others may have set it up: a take-over of an unverified account,
// and a reset by the operator (identity/verify-email.ts).
import { deleteAllWebhooksOf } from './content/webhooks/queries.ts'
import { deletePublishers, revokeKeysOf } from './library/library.ts'
import type { RemoveActing } from './request/handler.ts'

/** Removes the webhooks of a locked account and the CIs that publish as it, and revokes its keys. Signatures from before stay, with the time of their versions. */
export const removeActing: RemoveActing = async (db, { id, now }) => {
  const webhooks = await deleteAllWebhooksOf(db, id)
  await deletePublishers(db, { accountId: id })
  return { webhooks, keys: await revokeKeysOf(db, id, now) }
}
