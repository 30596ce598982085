// Grants: how an account authorizes a client, how its use is recorded, and how it is revoked. Codes, tokens and stored responses are
// deleted with their grant.

import { record } from '../audit/audit.ts'
import type { AuditAction } from '../contract/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import { after } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { grantActions } from './audit-actions.ts'
import * as queries from './grant-queries.ts'

export const AUTHORIZATION_CODE_SECONDS = 300

type Opened = Pick<queries.Grant, 'userId' | 'clientId' | 'clientName' | 'sessionId' | 'scope'>

/** Creates a grant for an account that is not blocked, and locks the account against blocking until the transaction ends. */
export async function createGrant(
  db: Transaction,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
  opened: Opened,
): Promise<queries.Grant> {
  if (!(await queries.findUserToIssueTo(db, opened.userId))) throw new Problem('blocked', 'This account is blocked')
  const expiresAt = after(now, AUTHORIZATION_CODE_SECONDS)
  const grant = { ...opened, id: newId(), createdAt: now, lastUsedAt: null, expiresAt }
  await queries.insertGrant(db, grant)
  const { clientId, scope, userId } = opened
  const detail = { clientId, scope }
  await record(db, now, { action: grantActions.open, actorId: userId, targetId: grant.id, detail, address })
  return grant
}

interface TokenUse extends Pick<queries.Token, 'grantId' | 'userId' | 'clientId' | 'scope'> {
  action: AuditAction
  forSeconds: number
}

/** Records token issuance: the grant and its client are in use, and the audit log has an entry. */
export async function recordTokenUse(
  db: Db,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
  { grantId, userId, clientId, action, scope, forSeconds }: TokenUse,
): Promise<void> {
  await queries.updateGrantUse(db, grantId, { now, expiresAt: after(now, forSeconds) })
  await queries.updateClientUse(db, clientId, { now, day: after(now, -86_400) })
  const detail = { clientId, scope }
  await record(db, now, { action, actorId: userId, targetType: 'sign-in', targetId: grantId, detail, address })
}

export interface Revocation {
  actorId: string | null
  reason: string
  now: string
  address?: string
}

/** Revokes one grant; false when it is already revoked. */
export async function revokeGrant(
  db: Transaction,
  id: string,
  { actorId, reason, now, address }: Revocation,
): Promise<boolean> {
  const grant = await queries.lockGrant(db, { id })
  if (!grant) return false
  await queries.deleteGrant(db, id)
  const detail = { clientId: grant.clientId, reason }
  await record(db, now, { action: grantActions.end, actorId, targetId: id, detail, address })
  return true
}
