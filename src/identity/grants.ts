// Grants: how an account authorizes a client, how its use is recorded, and how it is revoked. Codes, tokens and stored responses are
// deleted with their grant.

import { record } from '../audit/audit.ts'
import type { AuditAction } from '../contract/audit.ts'
import type { GrantBounds } from '../contract/bounds.ts'
import { Problem } from '../contract/problem.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import { after } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { upsertAgent } from './agent-queries.ts'
import { grantActions, tokenActions } from './audit-actions.ts'
import { issuedNow } from './credentials.ts'
import { recordEvent } from './grant-life.ts'
import * as queries from './grant-queries.ts'

export const AUTHORIZATION_CODE_SECONDS = 300

interface NewGrant extends Pick<queries.Grant, 'userId' | 'clientId' | 'clientName' | 'sessionId' | 'scope'> {
  /** How the audit log names it; that an app was authorized unless told. */
  action?: AuditAction
  detail?: Record<string, unknown>
  /** When it ends; when its code expires unless told, and later with each token. */
  expiresAt?: string
  /** What it may do at most. */
  bounds?: GrantBounds | undefined
  /** How strong the sign-in was that it is opened in; nothing is said of others. */
  acr?: string | null
}

/** Creates a grant for an account that is not blocked, and locks the account against blocking until the transaction ends. */
export async function createGrant(
  db: Transaction,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
  {
    action = grantActions.open,
    expiresAt = after(now, AUTHORIZATION_CODE_SECONDS),
    detail,
    bounds,
    acr = null,
    ...opened
  }: NewGrant,
): Promise<queries.Grant> {
  const user = await queries.findUserToIssueTo(db, opened.userId)
  if (!user) throw new Problem('blocked', 'This account is blocked')
  const kept = bounds ? JSON.stringify(bounds) : null
  const times = { createdAt: issuedNow(user, now), lastUsedAt: null, expiresAt }
  const grant = { ...opened, ...times, id: newId(), bounds: kept, acr }
  await queries.insertGrant(db, grant)
  await upsertAgent(db, grant)
  const { clientId, scope, userId } = opened
  const told = detail ?? { clientId, scope, ...(bounds && { bounds }) }
  await record(db, now, { action, actorId: userId, targetId: grant.id, detail: told, address })
  return grant
}

interface TokenUse extends Pick<queries.Token, 'grantId' | 'userId' | 'clientId' | 'scope'> {
  action: AuditAction
  forSeconds: number
}

/** Who asks for a token, as a request of either kind has it. */
type Agent = { request: Pick<Request, 'headers'> }

export const userAgentOf = ({ request }: Agent): string | null => request.headers.get('user-agent')

/** Records token issuance: the grant and its client are in use, and the audit log has an entry. */
export async function recordTokenUse(
  db: Db,
  { now, address, ...received }: Pick<EndpointRequest, 'now' | 'address'> & Agent,
  { grantId, userId, clientId, action, scope, forSeconds }: TokenUse,
): Promise<void> {
  const kind = action === tokenActions.refresh ? 'refreshed' : 'issued'
  await recordEvent(db, { now, address, userAgent: userAgentOf(received) }, { grantId, userId, clientId, kind })
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
  /** How the audit log names it; that access of an app was revoked unless told. */
  action?: AuditAction
}

/** Revokes one grant; false when it is already revoked. */
export async function revokeGrant(
  db: Transaction,
  id: string,
  { actorId, reason, now, address, action = grantActions.end }: Revocation,
): Promise<boolean> {
  const grant = await queries.lockGrant(db, { id })
  if (!grant) return false
  await queries.deleteGrant(db, id)
  const detail = { clientId: grant.clientId, reason }
  await record(db, now, { action, actorId, targetId: id, detail, address })
  return true
}
