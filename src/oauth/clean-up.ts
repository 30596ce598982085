// Removes expired rows of the authorization server, in batches.
import { sql } from 'kysely'
import { deleteUntil, inBatches } from '../database/expiry.ts'
import type { Db } from '../database/schema.ts'
import { deleteAgents } from '../identity/agent-queries.ts'
import * as queries from '../identity/grant-queries.ts'
import { after } from '../runtime/clock.ts'
import { deleteReplacedIdTokenKeys } from './queries.ts'
import {
  DECISION_SECONDS,
  EVENT_SECONDS,
  NEVER_USED_CLIENT_SECONDS,
  REPLACED_KEY_SECONDS,
  RETRY_SECONDS,
  UNUSED_CLIENT_SECONDS,
} from './rules.ts'

/**
 * Removes expired tokens, responses past their window, grants without tokens, proofs, pushed requests and device codes that are over, old
 * claims and clients that are not used.
 */
export async function cleanUp(db: Db, now: string): Promise<void> {
  const ago = (seconds: number) => after(now, -seconds)
  await deleteUntil(db, { table: 'oauthToken', key: 'hash', since: 'expiresAt' }, now)
  await inBatches((limit) => queries.wipeResponses(db, ago(RETRY_SECONDS), limit))
  await deleteUntil(db, { table: 'grant', key: 'id', since: 'expiresAt' }, now)
  const neverUsed = sql<boolean>`"firstUsedAt" is null`
  const clients = { table: 'oauthClient', key: 'id' } as const
  await deleteUntil(db, { ...clients, since: 'createdAt', where: neverUsed }, ago(NEVER_USED_CLIENT_SECONDS))
  await deleteUntil(db, { ...clients, since: 'lastUsedAt' }, ago(UNUSED_CLIENT_SECONDS))
  await inBatches((limit) => deleteAgents(db, ago(UNUSED_CLIENT_SECONDS), limit))
  await deleteUntil(db, { table: 'grantEvent', key: 'id', since: 'createdAt' }, ago(EVENT_SECONDS))
  await deleteUntil(db, { table: 'endedGrant', key: 'grantId', since: 'expiresAt' }, now)
  await deleteUntil(db, { table: 'dpopProof', key: 'hash', since: 'expiresAt' }, now)
  // A user may still be on the consent page of a request whose reference has expired.
  await deleteUntil(db, { table: 'pushedRequest', key: 'hash', since: 'expiresAt' }, ago(DECISION_SECONDS))
  await deleteUntil(db, { table: 'deviceCode', key: 'hash', since: 'expiresAt' }, now)
  await deleteReplacedIdTokenKeys(db, ago(REPLACED_KEY_SECONDS))
  await deleteUntil(db, { table: 'claim', key: 'id', since: 'createdAt' }, ago(86_400))
}
