// The revocation endpoint (RFC 7009): a refresh token revokes its grant, an access token only itself.

import { record } from '../../audit/audit.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { isPersonalToken } from '../../identity/checked-secret.ts'
import { isDocumentUrl } from '../../identity/client-name.ts'
import * as queries from '../../identity/grant-queries.ts'
import { revokeGrant } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { sha256 } from '../../runtime/hash.ts'
import { orRefused, protocolError } from '../area.ts'
import { authenticatedClient, requireAuthenticatedId } from '../client-authentication.ts'
import { challenged, formIn } from '../client-form.ts'
import { deleteWithHandedOn } from '../exchange/exchange.ts'
import { isJwt, type ValidJwt } from '../jwt.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { personalTokenHash, revokePersonalToken } from '../personal-tokens/personal-tokens.ts'

const done: EndpointResponse = { status: 200, body: '' }

export function revokeEndpoint(parts: OAuthContext): Serve {
  const { dependencies, readJwt } = parts
  const { db, config } = dependencies
  const serve: Serve = async (received) => {
    const { form, headers } = formIn(received)
    const authenticated = await authenticatedClient(parts, { form, headers }, received)
    const [token, ...moreTokens] = form.getAll('token')
    const [clientId, ...moreClients] = form.getAll('client_id')
    if (!token || moreTokens.length > 0 || moreClients.length > 0) {
      return protocolError(400, 'invalid_request', 'Send one token and one client_id')
    }
    if (!clientId || !(authenticated || (await isKnown(db, clientId, config.agentClientId)))) {
      return challenged(protocolError(401, 'invalid_client', 'client authentication failed'), config)
    }
    await requireAuthenticatedId(parts, clientId, authenticated)
    // A JWT is good until it expires, but what was made from it ends (interface.md, section 5).
    const jwt = isJwt(token) ? await readJwt(token, received.now) : undefined
    const personal = isPersonalToken(token) ? await personalTokenHash(dependencies, token) : undefined
    await db
      .transaction()
      .execute((transaction) =>
        personal
          ? revokePersonalToken(transaction, received, personal)
          : revoke(transaction, received, { token, clientId, jwt }),
      )
    // The token is not valid now; the response reveals nothing more (RFC 7009, 2.2).
    return done
  }
  return async (received) => challenged(await orRefused(() => serve(received)), config)
}

async function isKnown(db: Db, clientId: string, agentClientId: string): Promise<boolean> {
  // No document needs to be fetched: the token names its client.
  return clientId === agentClientId || isDocumentUrl(clientId) || (await queries.findClient(db, clientId)) !== undefined
}

async function revoke(
  db: Transaction,
  { now, address }: EndpointRequest,
  { token: value, clientId, jwt }: { token: string; clientId: string; jwt: ValidJwt | undefined },
): Promise<void> {
  const hash = sha256(value)
  if (jwt?.clientId === clientId && jwt.grantId !== null) {
    await deleteWithHandedOn(db, { hash, grantId: jwt.grantId, userId: jwt.account.id }, now)
  }
  const token =
    (await queries.findToken(db, { kind: 'refresh', hash })) ?? (await queries.findToken(db, { kind: 'access', hash }))
  if (token?.clientId !== clientId) return
  if (token.kind === 'refresh') {
    await revokeGrant(db, token.grantId, { actorId: token.userId, reason: 'revoked', now, address })
    return
  }
  await deleteWithHandedOn(db, token, now)
  const { userId, grantId } = token
  const act = { action: tokenActions.revoke, actorId: userId, targetType: 'sign-in', targetId: grantId }
  await record(db, now, { ...act, detail: { clientId }, address })
}
