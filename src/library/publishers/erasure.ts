// The erasure of the trusted publishers of an account.
import type { ErasureStep } from '../../identity/erasure.ts'
import { deletePublishers } from './queries.ts'

/** The runs of CIs that publish as it. */
export const publisherErasure: ErasureStep = {
  name: 'trusted publishers',
  part: 'account',
  clears: ['trustedPublisher.accountId'],
  async erase({ db }, { id }) {
    await db.transaction().execute((transaction) => deletePublishers(transaction, { accountId: id }))
    return false
  },
}
