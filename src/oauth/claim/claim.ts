// The email-code flow, as the rest of the authorization server uses it.

export { deleteClaimsBefore } from '../../identity/claim-queries.ts'
export { claimHandlers } from './handlers.ts'
