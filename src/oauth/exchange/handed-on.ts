// Access tokens that an agent handed on to a helper (RFC 8693): rows of the grant they come from, with who handed them on.
import type { Token } from '../../identity/grant-queries.ts'
import { parseJson } from '../../runtime/untyped.ts'

/** Who acts: the client that handed the token on, and before it the one that it had the token from (RFC 8693, 4.1). */
export interface Actor {
  sub: string
  act?: Actor
}

export interface HandedOn {
  id: string
  act: Actor
  /** The hashes of the tokens that it was made from, the first one first. */
  from: string[]
}

/** What is stored with an access token that was handed on; undefined for every other. */
export const handedOnIn = ({ payload }: Pick<Token, 'payload'>): HandedOn | undefined =>
  payload === null ? undefined : parseJson<{ handedOn?: HandedOn }>(payload).handedOn
