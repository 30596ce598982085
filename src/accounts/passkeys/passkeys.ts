// What the rest of the accounts may ask of passkeys.

export { countPasskeys } from '../../identity/passkey-queries.ts'
export { checkAssertion, refused, usePasskey } from './assertions.ts'
export { requestOptions } from './ceremonies.ts'
export { giveChallenge } from './challenges.ts'
