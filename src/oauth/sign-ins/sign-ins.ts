// The public interface of this folder to the rest of the authorization server.
export { handlers as signInHandlers } from './handlers.ts'
