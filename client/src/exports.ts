// What every entry of the package exports besides the functions of its platform.
import type { Client } from './create-client.ts'

export type {
  Call,
  CallOptions,
  DownloadCall,
  DownloadOptions,
  EventCall,
  FileContent,
  FileInput,
  ListCall,
  ListOptions,
  OptionalCall,
  OptionalListCall,
} from './call.ts'
export type { Client, ClientOptions } from './create-client.ts'
export type * from './derived/api.ts'
export { type DeviceCode, type DeviceSignIn, signInWithDevice } from './device.ts'
export type { Download } from './download.ts'
export {
  BoundError,
  ChecksumError,
  type ErrorCode,
  GuildhallError,
  InputError,
  NetworkError,
  SignInEndedError,
  SignInError,
  WaitingError,
} from './errors.ts'
export type { ServerEvent } from './events.ts'
export type { FetchResponse, ResponseHeaders } from './fetch-response.ts'
export type { Fetch } from './fetching.ts'
export { type HandOn, handOn } from './hand-on.ts'
export {
  type Claim,
  finishSignIn,
  type PendingSignIn,
  type Registration,
  redeemCode,
  registerClient,
  requestCode,
  type ServerOptions,
  type SignIn,
  signOut,
} from './sign-in.ts'
export type { Tokens } from './token-endpoint.ts'
export { memoryTokens, type TokenStore } from './tokens.ts'
export {
  type Expected,
  fetchProofBundle,
  type ProofBundle,
  type SeenLog,
  type Verified,
  verifyBundle,
} from './verify.ts'
export { type Doubt, VerifyError } from './verify-error.ts'
export {
  type OwningTeam,
  type Stated,
  type StatementBundle,
  statementToSign,
  verifyStatedFile,
} from './verify-statement.ts'

type Called<Name extends string> = Name extends `${infer Slice extends keyof Client & string}.${infer Verb}`
  ? Verb extends keyof Client[Slice]
    ? Client[Slice][Verb]
    : never
  : never

/** The input of an operation: `Input<'bugs.create'>`. */
export type Input<Name extends string> =
  Called<Name> extends (input: infer Given, options?: never) => unknown ? NonNullable<Given> : never
/** What an operation resolves with: `Output<'bugs.list'>`. */
export type Output<Name extends string> =
  Called<Name> extends (...given: never) => Promise<infer Answer> ? Answer : never
