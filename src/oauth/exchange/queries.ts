// Access tokens that an agent handed on to a helper (RFC 8693): rows of the grant they come from, with who handed them on.
import { boundsOfChain, type Helper } from '../../contract/hand-on.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { standing } from '../../identity/account-queries.ts'
import { deleteToken, holdGrantOf, type Token } from '../../identity/grant-queries.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { boundsIn } from '../jwt.ts'

/** Who acts, and in `act` for whom (RFC 8693, 4.1): a helper has an id and perhaps a name beside its client; the innermost is the client itself. */
export interface Actor {
  sub: string
  helper?: string
  name?: string
  act?: Actor
}

interface HandedOn {
  /** The hashes of the tokens that it was made from, the first one first. */
  from: string[]
  /** The helpers of the chain, as many as there are hashes; the last one has this token. */
  helpers: Helper[]
}

/** As it is stored; the release before had no helpers there. */
type StoredHandedOn = Pick<HandedOn, 'from'> & Partial<HandedOn> & { id: string }

/** What is stored with an access token that was handed on; undefined for every other. */
export function handedOnIn({ payload }: Pick<Token, 'payload'>): HandedOn | undefined {
  const stored = payload === null ? undefined : parseJson<{ handedOn?: StoredHandedOn }>(payload).handedOn
  return stored && { helpers: stored.from.map(() => ({ id: stored.id, name: null })), ...stored }
}

/** The chain as a claim: the innermost is the client that has the grant. */
export const actorOf = (clientId: string, helpers: readonly Helper[]): Actor =>
  helpers.reduce<Actor>((act, { id, name }) => ({ sub: clientId, helper: id, ...(name !== null && { name }), act }), {
    sub: clientId,
  })

/** What a token with its grant may do at most. */
export const boundsOfToken = (token: Pick<Token, 'payload'> & { bounds: string | null }) =>
  boundsOfChain(boundsIn(token.bounds), handedOnIn(token)?.helpers ?? [])

export interface OpenToken
  extends Pick<Token, 'hash' | 'grantId' | 'scope' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  handedOn: HandedOn
}

/** Those of a grant, or of all grants of an account, that have not expired; oldest first, and none before one that is above it. */
export async function listHandedOn(
  db: Db,
  { now, ...of }: { now: string } & ({ grantId: string } | { userId: string }),
): Promise<OpenToken[]> {
  const rows = await db
    .selectFrom('oauthToken')
    .innerJoin('grant', 'grant.id', 'oauthToken.grantId')
    .select(['hash', 'grantId', 'oauthToken.scope', 'payload', 'oauthToken.createdAt', 'oauthToken.expiresAt'])
    .select('oauthToken.lastUsedAt')
    .where((e) => ('grantId' in of ? e('grant.id', '=', of.grantId) : e('grant.userId', '=', of.userId)))
    .where('kind', '=', 'access')
    .where('payload', 'is not', null)
    .where('oauthToken.expiresAt', '>', now)
    .where(standing('grant'))
    .orderBy('oauthToken.createdAt')
    .execute()
  const open = rows.flatMap(({ payload, ...row }) => {
    const handedOn = handedOnIn({ payload })
    return handedOn ? [{ ...row, handedOn }] : []
  })
  const depth = ({ handedOn }: OpenToken) => handedOn.from.length
  return open.toSorted((a, b) => (a.createdAt === b.createdAt ? depth(a) - depth(b) : 0))
}

type Owned = Pick<Token, 'userId' | 'grantId'>

/**
 * Deletes a token, and those that were made from it; gives their number. The account and the grant are locked, as they are where a token is
 * handed on: so none is made from one that goes at this moment.
 */
export async function deleteWithHandedOn(db: Transaction, token: Owned & Pick<Token, 'hash'>, now: string) {
  await holdGrantOf(db, token)
  const made = await listHandedOn(db, { grantId: token.grantId, now })
  const below = made.filter(({ handedOn }) => handedOn.from.includes(token.hash))
  for (const { hash } of below) await deleteToken(db, hash)
  await deleteToken(db, token.hash)
  return below.length + 1
}

/** Deletes the token of a helper and of all below it; gives their number, 0 where there is no such helper. */
export async function deleteHelper(db: Transaction, { helperId, ...of }: Owned & { helperId: string }, now: string) {
  await holdGrantOf(db, of)
  const open = await listHandedOn(db, { userId: of.userId, now })
  const own = open.filter(({ grantId }) => grantId === of.grantId)
  const ended = own.filter(({ handedOn }) => handedOn.helpers.some(({ id }) => id === helperId))
  for (const { hash } of ended) await deleteToken(db, hash)
  return ended.length
}
