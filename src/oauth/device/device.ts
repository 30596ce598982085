// Device authorization (RFC 8628), as the rest of the authorization server uses it.
export { exchangeDeviceCode } from './exchange.ts'
export { devicePageEndpoint } from './page.ts'
export { deviceAuthorizationEndpoint } from './request.ts'
