// Steps of the erasure of an account that need no more than a query or two each; larger ones are in the folders of their slices.
import { deleteKeys, deleteStoredBytes, listKeys as listTries } from '../budgets/queries.ts'
import { DELETED_USER } from '../contract/deleted-user.ts'
import { updateUser } from '../identity/account-queries.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../identity/erasure.ts'
import { deleteMailsTo } from '../mail/queries.ts'
import { allRows } from '../runtime/pages.ts'
import { forgetName } from '../storage/queries.ts'
import { deleteEmptyCounters, listKeys as listCounters } from './counter-queries.ts'
import { deleteDraftsOf } from './drafts/queries.ts'
import { updateActors, updateEditors } from './edits/queries.ts'
import { deleteActsOf } from './pending/queries.ts'
import { deleteSavedOf } from './saved/queries.ts'
import { removeObjects } from './stored-files.ts'
import { deleteDeliveriesBy, deleteWebhooksOf } from './webhooks/queries.ts'

export const draftErasure = clearing('drafts', ['formDraft.userId'], deleteDraftsOf)

export const savedErasure = clearing('saved-filters', ['savedFilter.userId'], deleteSavedOf)

/** The writes of its agents that wait or waited for its yes. */
export const pendingErasure = clearing('pending-acts', ['pendingAct.userId', 'pendingFile.userId'], deleteActsOf)

/** Who changed texts of others: those of a revision are by another author, or by one who stays as "deleted user". */
export const revisionErasure: ErasureStep = {
  name: 'revisions',
  part: 'content',
  clears: ['revision.editorId'],
  erase: async ({ db }, { id }) =>
    (await updateEditors(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH,
}

/** The status of a thing stays. The reason was written by the account: it goes with what the account wrote. */
export const statusChangeErasure: ErasureStep = {
  name: 'status-changes',
  part: 'content',
  clears: ['statusChange.actorId'],
  async erase({ db }, { id, content }) {
    const changed = { from: id, to: DELETED_USER, limit: ERASURE_BATCH, withReason: content === 'anonymise' }
    return (await updateActors(db, changed)) === ERASURE_BATCH
  },
}

/** Its webhooks, and what webhooks of others were told of its acts. */
export const webhookErasure: readonly ErasureStep[] = [
  {
    name: 'webhooks',
    part: 'account',
    clears: ['webhook.ownerId'],
    // One at a time: its deliveries go with it.
    erase: async ({ db }, { id }) => (await deleteWebhooksOf(db, id, 1)) === 1,
  },
  clearing('deliveries', ['webhookDelivery.actorId'], deleteDeliveriesBy),
]

/** Keys that contain the id of the account. All keys are read in pages, because no index finds a part of a key. */
async function keysNaming(
  list: (after: string, limit: number) => Promise<string[]>,
  names: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for await (const key of allRows('', list, (key) => key)) {
    if (names.some((name) => key.includes(name))) found.push(key)
  }
  return found
}

/** The last steps, in their order: mails to the account, counters with its id in their keys, and its picture. */
export const leftoverErasure: readonly ErasureStep[] = [
  {
    name: 'mails',
    part: 'account',
    clears: ['outbox.recipient'],
    erase: async ({ db }, { email }) => (await deleteMailsTo(db, email, ERASURE_BATCH)) === ERASURE_BATCH,
  },
  {
    name: 'counters',
    part: 'account',
    clears: ['counter.key', 'rateLimit.key', 'storedBytes.accountId'],
    async erase({ db }, { id, email }) {
      const counters = await keysNaming((after, limit) => listCounters(db, after, limit), [id])
      if (counters.length > 0) await deleteEmptyCounters(db, counters)
      const tries = await keysNaming((after, limit) => listTries(db, after, limit), [id, email])
      if (tries.length > 0) await deleteKeys(db, tries)
      await deleteStoredBytes(db, id)
      return false
    },
  },
  {
    name: 'picture',
    part: 'account',
    clears: ['user.avatarSha256', 'namedFile.name'],
    async erase(dependencies, { id }) {
      await updateUser(dependencies.db, id, { avatarUpdatedAt: null, avatarSha256: null })
      await removeObjects(dependencies, [`avatars/${id}`])
      await forgetName(dependencies.db, `avatars/${id}`)
      return false
    },
  },
]
