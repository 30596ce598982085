// What the rest of the accounts may ask of passkeys.
export { checkAssertion, refused, usePasskey } from './assertions.ts'
export { requestOptions } from './ceremonies.ts'
export { giveChallenge } from './challenges.ts'
export { countPasskeys, deleteExpiredChallenges, deletePasskeysOf } from './queries.ts'
