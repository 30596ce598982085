// The public interface of this folder to the rest of the accounts.

export { countPasskeys } from '../../identity/passkey-queries.ts'
export { checkAssertion, refused, usePasskey } from './assertions.ts'
export { requestOptions } from './ceremonies.ts'
export { giveChallenge } from './challenges.ts'
