// Access tokens that an agent handed on to a helper (RFC 8693): rows of the grant they come from, with who handed them on.
import type { Db, Transaction } from '../../database/schema.ts'
import { standing } from '../../identity/account-queries.ts'
import { deleteToken, type Token } from '../../identity/grant-queries.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** Who acts: the client that handed the token on, and before it the one that it had the token from (RFC 8693, 4.1). */
export interface Actor {
  sub: string
  act?: Actor
}

interface HandedOn {
  id: string
  act: Actor
  /** The hashes of the tokens that it was made from, the first one first. */
  from: string[]
}

/** What is stored with an access token that was handed on; undefined for every other. */
export const handedOnIn = ({ payload }: Pick<Token, 'payload'>): HandedOn | undefined =>
  payload === null ? undefined : parseJson<{ handedOn?: HandedOn }>(payload).handedOn

export interface OpenToken extends Pick<Token, 'hash' | 'grantId' | 'scope' | 'createdAt' | 'expiresAt'> {
  handedOn: HandedOn
}

/** Those of a grant, or of all grants of an account, that have not expired; oldest first. */
export async function listHandedOn(
  db: Db,
  { now, ...of }: { now: string } & ({ grantId: string } | { userId: string }),
): Promise<OpenToken[]> {
  const rows = await db
    .selectFrom('oauthToken')
    .innerJoin('grant', 'grant.id', 'oauthToken.grantId')
    .select(['hash', 'grantId', 'oauthToken.scope', 'payload', 'oauthToken.createdAt', 'oauthToken.expiresAt'])
    .where((e) => ('grantId' in of ? e('grant.id', '=', of.grantId) : e('grant.userId', '=', of.userId)))
    .where('kind', '=', 'access')
    .where('payload', 'is not', null)
    .where('oauthToken.expiresAt', '>', now)
    .where(standing('grant'))
    .orderBy('oauthToken.createdAt')
    .execute()
  return rows.flatMap(({ payload, ...row }) => {
    const handedOn = handedOnIn({ payload })
    return handedOn ? [{ ...row, handedOn }] : []
  })
}

/** Deletes a token, and those that were made from it. */
export async function deleteWithHandedOn(db: Transaction, token: Pick<Token, 'hash' | 'grantId'>, now: string) {
  const made = await listHandedOn(db, { grantId: token.grantId, now })
  for (const { hash, handedOn } of made) if (handedOn.from.includes(token.hash)) await deleteToken(db, hash)
  await deleteToken(db, token.hash)
}
