// Handing a token on (RFC 8693), as the rest of the authorization server sees it.
export { type Actor, handedOnIn } from './handed-on.ts'
export { exchangeToken } from './handing-on.ts'
export { deleteWithHandedOn, listHandedOn, type OpenToken } from './queries.ts'
