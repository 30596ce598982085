// The pages and endpoints of authorization, as the rest of the authorization server uses them.

export { type DeviceView, errorPage, redirect, show } from '../view.ts'
export { authorizeEndpoint, pages } from './authorize.ts'
export { consentEndpoint, consentPageEndpoint } from './decision.ts'
export { openRequest, type Signer, signRequest } from './request.ts'
export { type Session, sessionOf, standsStill } from './session.ts'
export { signInEndpoint, signOutEndpoint, usernameEndpoint } from './sign-in.ts'
