// Removes expired rows of the authorization server, in batches.

import * as queries from '../identity/grant-queries.ts'
import type { Dependencies } from '../request/handler.ts'
import { inBatches } from '../runtime/batches.ts'
import { after, timestamp } from '../runtime/clock.ts'
import { deleteClaimsBefore } from './claim/claim.ts'
import { deleteExpiredProofs } from './dpop/dpop.ts'
import { deleteExpiredPushedRequests } from './par.ts'
import { deleteReplacedIdTokenKeys } from './rsa-key.ts'
import {
  DECISION_SECONDS,
  NEVER_USED_CLIENT_SECONDS,
  REPLACED_KEY_SECONDS,
  RETRY_SECONDS,
  UNUSED_CLIENT_SECONDS,
} from './rules.ts'

/**
 * Removes expired tokens, answers past their window, sign-ins without tokens, proofs and pushed requests that are over, old
 * claims and clients that are not used.
 */
export async function cleanUp({ db, clock }: Dependencies): Promise<void> {
  const now = timestamp(clock.now())
  await inBatches((limit) => queries.deleteExpiredTokens(db, now, limit))
  await inBatches((limit) => queries.wipeResponses(db, after(now, -RETRY_SECONDS), limit))
  await inBatches((limit) => queries.deleteExpiredGrants(db, now, limit))
  await inBatches((limit) => queries.deleteNeverUsedClients(db, after(now, -NEVER_USED_CLIENT_SECONDS), limit))
  await inBatches((limit) => queries.deleteUnusedClients(db, after(now, -UNUSED_CLIENT_SECONDS), limit))
  await inBatches((limit) => deleteExpiredProofs(db, now, limit))
  // A user may still be on the consent page of a request whose reference has expired.
  await inBatches((limit) => deleteExpiredPushedRequests(db, after(now, -DECISION_SECONDS), limit))
  await deleteReplacedIdTokenKeys(db, after(now, -REPLACED_KEY_SECONDS))
  await inBatches((limit) => deleteClaimsBefore(db, after(now, -86_400), limit))
}
