// The pages and endpoints of authorization, as the rest of the authorization server uses them.
export { authorizeEndpoint, pages } from './authorize.ts'
export { consentEndpoint, consentPageEndpoint } from './decision.ts'
export { errorPage } from './page.ts'
export { signInEndpoint, signOutEndpoint, usernameEndpoint } from './sign-in.ts'
