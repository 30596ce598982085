// The end of a token that was found: who holds it may revoke it at the revocation endpoint, as any client (RFC 7009).
import type { Transaction } from '../../database/schema.ts'
import { personalTokenActions } from '../../identity/audit-actions.ts'
import { revokeGrant } from '../../identity/grants.ts'
import type { EndpointRequest } from '../../request/endpoint.ts'
import * as queries from './queries.ts'

/** Revokes the token of a hash, if there is one. */
export async function revokePersonalToken(
  db: Transaction,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
  hash: string,
): Promise<void> {
  const token = await queries.findPersonalToken(db, { hash })
  if (!token) return
  const by = { actorId: token.userId, reason: 'revoked with the token itself', now, address }
  await revokeGrant(db, token.id, { ...by, action: personalTokenActions.revoke })
}
