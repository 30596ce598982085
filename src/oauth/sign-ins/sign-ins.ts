// An account's own sign-ins, as the rest of the authorization server uses them.
export { handlers as signInHandlers } from './handlers.ts'
