// The last steps of the erasure of an account: what no feature has.
import { deleteKeys, deleteStoredBytes, listKeys as listTries } from '../budgets/queries.ts'
import { updateUser } from '../identity/account-queries.ts'
import { ERASURE_BATCH, type ErasureStep } from '../identity/erasure.ts'
import { deleteBounceOf, deleteMailsTo } from '../mail/queries.ts'
import { allRows } from '../runtime/pages.ts'
import { forgetName } from '../storage/queries.ts'
import { deleteEmptyCounters, listKeys as listCounters } from './counter-queries.ts'
import { removeObjects } from './stored-files.ts'

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
    clears: ['outbox.recipient', 'bounce.email'],
    async erase({ db }, { email }) {
      await deleteBounceOf(db, email)
      return (await deleteMailsTo(db, email, ERASURE_BATCH)) === ERASURE_BATCH
    },
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
