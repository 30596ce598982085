// The erasure of an account from the statements of versions.
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { findLockedItem } from '../items/queries.ts'
import { logVersions, restate } from './logging.ts'
import { deleteKeysOf, listStatements, listStatementsBy } from './queries.ts'

/**
 * Its name in statements: each is stated again without it, and logged again where it is public. The log itself has no names, only hashes of
 * statements.
 */
export const statementErasure: ErasureStep = {
  name: 'statements',
  part: 'account',
  clears: ['versionStatement.publisherId', 'versionStatement.approverId'],
  async erase({ db }, { id }) {
    const [first] = await listStatementsBy(db, id, 1)
    if (!first) return false
    await db.transaction().execute(async (transaction) => {
      const item = await findLockedItem(transaction, first.itemId)
      const all = await listStatements(transaction, first.itemId)
      const naming = all.filter(({ publisherId, approverId }) => publisherId === id || approverId === id)
      for (const { payload, publisherId, approverId } of naming.slice(0, ERASURE_BATCH)) {
        const nameless = {
          ...(publisherId === id && { publisher: null }),
          ...(approverId === id && { approver: null }),
        }
        await restate(transaction, payload, nameless)
      }
      if (item?.listed) await logVersions(transaction, item)
    })
    return true
  },
}

/** The keys with which an account signed. */
export const keyErasure: ErasureStep = {
  name: 'publisher keys',
  part: 'account',
  clears: ['publisherKey.accountId'],
  async erase({ db }, { id }) {
    await deleteKeysOf(db, id)
    return false
  },
}
