// Personal access tokens, as the rest of the authorization server sees them.
export { handlers as personalTokenHandlers } from './handlers.ts'
export { findPersonalCaller, personalTokenHash } from './reading.ts'
export { revokePersonalToken } from './revoking.ts'
export { PERSONAL_CLIENT } from './rules.ts'
