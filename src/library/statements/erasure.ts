// The erasure of an account's name from statements: each is stated again without it, and logged again where it is public. The log itself
// has no names, only hashes of statements.

import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { findLockedItem } from '../queries.ts'
import { deleteKeysOf } from './key-queries.ts'
import { logVersions, restate } from './logging.ts'
import * as queries from './queries.ts'

export const statementErasure: ErasureStep = {
  name: 'statements',
  part: 'account',
  clears: ['versionStatement.publisherId'],
  async erase({ db }, { id }) {
    const [first] = await queries.listStatementsBy(db, id, 1)
    if (!first) return false
    await db.transaction().execute(async (transaction) => {
      const item = await findLockedItem(transaction, first.itemId)
      const all = await queries.listStatements(transaction, first.itemId)
      for (const { payload } of all.filter(({ publisherId }) => publisherId === id).slice(0, ERASURE_BATCH)) {
        await restate(transaction, payload, { publisher: null })
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
