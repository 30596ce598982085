// What the rest of the accounts may ask of passkeys.
export { countPasskeys, deleteExpiredChallenges, deletePasskeysOf } from './queries.ts'
