// The revocation endpoint (RFC 7009): a refresh token ends its sign-in, an access token only itself.

import { record } from '../../audit/audit.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { endSignIn } from '../../identity/ending.ts'
import * as queries from '../../identity/grant-queries.ts'
import type { Reply, Serve, Visit } from '../../request/endpoint.ts'
import type { Ground } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { protocolError } from '../area.ts'
import { challenged, formIn } from '../client-form.ts'
import { isDocumentUrl } from '../clients.ts'

const done: Reply = { status: 200, body: '' }

export function revokeEndpoint({ db, config }: Ground): Serve {
  return async (visit) => {
    const { form } = formIn(visit)
    const [token, ...moreTokens] = form.getAll('token')
    const [clientId, ...moreClients] = form.getAll('client_id')
    if (!token || moreTokens.length > 0 || moreClients.length > 0) {
      return protocolError(400, 'invalid_request', 'Send one token and one client_id')
    }
    if (!clientId || !(await isKnown(db, clientId, config.agentClientId))) {
      return challenged(protocolError(401, 'invalid_client', 'client authentication failed'), config)
    }
    await db.transaction().execute((transaction) => revoke(transaction, visit, { token, clientId }))
    // Whatever it was, it is not good now; nothing more is told (RFC 7009, 2.2).
    return done
  }
}

async function isKnown(db: Db, clientId: string, agentClientId: string): Promise<boolean> {
  // A document need not be fetched: the token itself says whose it is.
  return clientId === agentClientId || isDocumentUrl(clientId) || (await queries.findClient(db, clientId)) !== undefined
}

async function revoke(
  db: Transaction,
  { now, address }: Visit,
  { token: value, clientId }: { token: string; clientId: string },
): Promise<void> {
  const hash = sha256(value)
  const token = (await queries.findToken(db, 'refresh', hash)) ?? (await queries.findToken(db, 'access', hash))
  if (token?.clientId !== clientId) return
  if (token.kind === 'refresh') {
    await endSignIn(db, token.signInId, { actorId: token.userId, reason: 'revoked', now, address })
    return
  }
  await queries.deleteToken(db, hash)
  const { userId, signInId } = token
  const detail = { clientId }
  await record(db, now, {
    action: 'token.revoke',
    actorId: userId,
    targetType: 'sign-in',
    targetId: signInId,
    detail,
    address,
  })
}
