// The email-code flow, as the rest of the authorization server uses it.
export { claimHandlers } from './handlers.ts'
export { deleteClaimsBefore, endClaims } from './queries.ts'
