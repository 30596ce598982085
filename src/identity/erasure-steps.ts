// The erasure of an account's credentials, which comes first: an account that is being erased cannot be signed in to.
import * as accounts from './account-queries.ts'
import { deleteBrowsersOf } from './browser-queries.ts'
import { forgetCodesOf } from './code-queries.ts'
import type { ErasureStep } from './erasure.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'

export const credentialErasure: ErasureStep = {
  name: 'credentials',
  part: 'account',
  clears: [
    ...[
      'session.userId',
      'knownBrowser.userId',
      'passkey.userId',
      'passkeyChallenge.userId',
      'emailCode.email',
      'emailCode.ownerId',
    ],
    ...['claim.email', 'grant.userId', 'oauthToken.userId', 'user.passwordHash'],
  ],
  erase: ({ db }, { id, email }) =>
    db.transaction().execute(async (transaction) => {
      await accounts.lockUser(transaction, { id })
      await forgetCodesOf(transaction, { id, email })
      await accounts.deleteSessionsOf(transaction, id)
      await deletePasskeysOf(transaction, id)
      await deleteBrowsersOf(transaction, id)
      await deleteGrantsOf(transaction, id)
      await accounts.updateUser(transaction, id, { passwordHash: null })
      return false
    }),
}
