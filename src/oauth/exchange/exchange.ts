// Tokens that are handed on, as the rest of the authorization server sees them.
import type { exchangeToken as exchange } from './exchanging.ts'

export { HelperUse } from './helper-use.ts'
export {
  type Actor,
  actorOf,
  boundsOfToken,
  deleteHelper,
  deleteWithHandedOn,
  handedOnIn,
  listHandedOn,
  type OpenToken,
} from './queries.ts'

/** The response to an exchange. */
export const exchangeToken = async (...given: Parameters<typeof exchange>): ReturnType<typeof exchange> =>
  (await import('./exchanging.ts')).exchangeToken(...given)
