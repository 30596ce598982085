// The token that an exchange is about (RFC 8693, 2.1): an access token that is a row, or one of our JWTs, which names its grant.
import type { Transaction } from '../../database/schema.ts'
import { findGrant, findToken, type Token } from '../../identity/grant-queries.ts'
import { sha256 } from '../../runtime/hash.ts'
import { endOf } from '../bounds.ts'
import { isJwt } from '../jwt.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { boundsOfToken } from './queries.ts'

/** What is to be known of a token that is handed on. */
export interface Subject
  extends Pick<
    Token,
    'hash' | 'grantId' | 'userId' | 'clientId' | 'scope' | 'expiresAt' | 'keyThumbprint' | 'payload'
  > {
  isJwt?: true
  /** Of its grant, as JSON. */
  bounds: string | null
}

/** The token in a form; undefined for one that is not valid, and for a JWT that does not name its grant. */
export async function readSubject(
  { dependencies: { db }, readJwt }: Pick<OAuthContext, 'dependencies' | 'readJwt'>,
  token: string,
  now: string,
): Promise<Subject | undefined> {
  const hash = sha256(token)
  // One that was handed on is a row, also where it is a JWT.
  const row = await findToken(db, { kind: 'access', hash })
  if (row || !isJwt(token)) return clipped(row)
  const found = await readJwt(token, now)
  if (!found || found.grantId === null || found.isHandedOn) return undefined
  const { grantId, clientId, scope, expiresAt, boundTo } = found
  const of = { userId: found.account.id, clientId, grantId, scope, expiresAt }
  const bounds = found.bounds === undefined ? null : JSON.stringify(found.bounds)
  return clipped({ ...of, hash, keyThumbprint: boundTo, payload: null, isJwt: true, bounds })
}

/**
 * The same token once more, with its grant locked: undefined where it has ended in between. A JWT outlives its grant, but is handed on only
 * while that lives, and with no more than that allows by now.
 */
export async function findSubject(db: Transaction, seen: Subject, now: string): Promise<Subject | undefined> {
  if (!seen.isJwt) return clipped(await findToken(db, { kind: 'access', hash: seen.hash }))
  const grant = await findGrant(db, { id: seen.grantId })
  if (grant?.userId !== seen.userId || grant.clientId !== seen.clientId || grant.expiresAt <= now) return undefined
  const names = seen.scope.split(' ').filter((name) => grant.scope.split(' ').includes(name))
  return clipped({ ...seen, scope: names.join(' '), bounds: grant.bounds })
}

/** What is made from a token ends with the grant, too. */
const clipped = <Token extends Subject>(token: Token | undefined): Token | undefined =>
  token && { ...token, expiresAt: endOf(token.expiresAt, boundsOfToken(token)) }
