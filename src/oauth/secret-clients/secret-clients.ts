// Apps with a secret, as the rest of the authorization server sees them.
import { lazily } from '../../request/lazily.ts'
import { secretClients } from './contract.ts'

export { countWrongSecret, isAuthenticated, type PresentedSecret, SECRET_FOR_LIBRARY } from './authenticating.ts'
export { findSecretClient, holdSecretClient, listSecretClients, type SecretClient } from './queries.ts'
export { endSecretClient, registerSecretClient, rotateSecret, shownClient } from './registering.ts'
export { MAX_SECRET_CLIENTS } from './rules.ts'

export const secretClientHandlers = lazily(secretClients, async () => (await import('./handlers.ts')).handlers)
