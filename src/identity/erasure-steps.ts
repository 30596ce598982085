// The erasure of an account's credentials, which comes first: an account that is being erased cannot be signed in to.
import { deleteKeysOf } from '../request/idempotency-queries.ts'
import * as accounts from './account-queries.ts'
import { deleteInvitation } from './address-queries.ts'
import { deleteBrowsersOf } from './browser-queries.ts'
import { forgetCodesOf } from './code-queries.ts'
import type { ErasureStep } from './erasure.ts'
import { deleteExternalIdentitiesOf } from './external-queries.ts'
import { deleteEventsOf } from './grant-life-queries.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'

export const credentialErasure: ErasureStep = {
  name: 'credentials',
  part: 'account',
  clears: [
    ...[
      'session.userId',
      'knownBrowser.userId',
      'knownNetwork.userId',
      'passkey.userId',
      'passkeyChallenge.userId',
      'emailCode.email',
      'emailCode.ownerId',
      'signUpInvitation.email',
    ],
    ...['externalIdentity.userId', 'externalIdentity.email'],
    ...[
      'claim.email',
      'grant.userId',
      'oauthToken.userId',
      'personalToken.userId',
      'grantEvent.userId',
      'user.passwordHash',
    ],
    'idempotencyKey.accountId',
  ],
  erase: ({ db }, { id, email }) =>
    db.transaction().execute(async (transaction) => {
      await accounts.lockUser(transaction, { id })
      await forgetCodesOf(transaction, { id, email })
      await deleteInvitation(transaction, { email })
      await accounts.deleteSessionsOf(transaction, id)
      await deletePasskeysOf(transaction, id)
      await deleteExternalIdentitiesOf(transaction, id)
      await deleteBrowsersOf(transaction, id)
      await deleteGrantsOf(transaction, id)
      await deleteKeysOf(transaction, id)
      await deleteEventsOf(transaction, id)
      await accounts.updateUser(transaction, id, { passwordHash: null })
      return false
    }),
}
