// The pages and endpoints of authorization, as the rest of the authorization server uses them.
export { authorizeEndpoint, pages } from './authorize.ts'
export { consentEndpoint, consentPageEndpoint } from './decision.ts'
export { signInEndpoint, signOutEndpoint, usernameEndpoint } from './sign-in.ts'
export { errorPage } from './view.ts'
