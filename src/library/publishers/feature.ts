// Trusted publishing: CI identities that publish items.
import type { Feature } from '../../content/manifest.ts'
import type { ErasureStep } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { trustedPublishers } from './contract.ts'
import { deletePublishers } from './queries.ts'

/** The runs of CIs that publish as it. */
const publisherErasure: ErasureStep = {
  name: 'trusted publishers',
  part: 'account',
  clears: ['trustedPublisher.accountId'],
  async erase({ db }, { id }) {
    await db.transaction().execute((transaction) => deletePublishers(transaction, { accountId: id }))
    return false
  },
}

export const publishersFeature = {
  handlers: { trustedPublishers: lazily(trustedPublishers, async () => (await import('./handlers.ts')).handlers) },
  erasure: { steps: () => [publisherErasure] },
} satisfies Feature
