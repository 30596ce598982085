// The input of a handler. The caller is authenticated, not blocked and authorized, and the input is parsed.
import type { z } from 'zod'
import type { Budget } from '../budgets/writes.ts'
import type { Config } from '../config/config.ts'
import type { GrantBounds } from '../contract/bounds.ts'
import type { Form, UploadRules } from '../contract/files.ts'
import type { Helper } from '../contract/hand-on.ts'
import type { Contract, Operation, Role, Scope } from '../contract/operation.ts'
import type { Changes } from '../database/commit-cache.ts'
import type { PoolState } from '../database/postgres.ts'
import type { ReplicasReport } from '../database/replicas.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { DNSResolver } from '../mail/incoming/authentication.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Reach } from '../outgoing/guarded-request.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SecretFor } from '../runtime/hash.ts'
import type { Log } from '../runtime/log.ts'
import type { StorageHealth } from '../runtime/outage.ts'
import type { PasswordCost } from '../runtime/password-hash.ts'
import type { RsaKey } from '../runtime/rsa-key.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Worker } from '../workers/workers.ts'

/** Removes what acts for an account by itself; gives how many there were of each. */
export type RemoveActing = (
  db: Transaction,
  account: { id: string; now: string },
) => Promise<{ webhooks: number; keys: number }>

/** All external dependencies, passed in by the code that starts the application. */
export interface Dependencies {
  /** Values may change while the server runs: read them at each use, and keep none. */
  config: Config
  /** Where they come from. */
  settings: LiveSettings
  db: Db
  clock: Clock
  log: Log
  outbox: Outbox
  blobs: Blobs
  passwordCost: PasswordCost
  /** Secrets that encrypt database values; they are not in the database. */
  secretFor: SecretFor
  removeActing: RemoveActing
  /** Receives every outage of the dependencies: logs and counts it. */
  health: StorageHealth
  /** What caches must know of commits; without it nothing is cached. */
  changes?: Changes
  /** Resolves when caches know of every commit that was acknowledged before (database/open.ts). */
  caughtUp?(): Promise<void> | undefined
  /** Where streaming replicas take reads (database/replicas.ts). */
  replicas?: ReplicasReport
  /** The connections of the pool, on PostgreSQL. */
  pool?(): PoolState
  /** Why writes are disabled until a restart; undefined otherwise. */
  fault?(): Error | undefined
  /** Resolves when the database answers, and rejects within a second when it does not. */
  ping?(): Promise<void>
  /** Writes a little to the database and rolls it back; rejects when there is no room. */
  probe?(): Promise<void>
  /** Gives the memory of caches of the database back that are not in use. */
  shrink?(): void
  /** How the document behind a client's URL is fetched; from the public internet unless told otherwise. */
  fetchDocument?(url: string): Promise<Response>
  /** How names in the DNS are asked for mail that comes; the machine's servers unless told otherwise. */
  resolveDns?: DNSResolver
  /** Where webhooks may go; the public internet unless told otherwise. */
  reach?: Reach
  /** How the RSA key of ID tokens is made; a new one unless told otherwise. */
  makeRsaKey?(): Promise<RsaKey>
}

/** The account behind a request, read afresh for every call. */
export interface Caller {
  id: string
  email: string
  username: string | null
  role: Role
  /** The role of the account, where it has no effect now (core/authorize.ts): then `role` is that of a member. */
  withheld?: Role
  /** Whether the mailbox was shown to be the caller's. */
  verified: boolean
  createdAt: string
  /** The groups of its last sign-in at an external provider, as they are stored; read by core/readers.ts. */
  externalGroups?: string | null
  /** Its level of trust, where those are on (contract/trust.ts). */
  trust?: number
  /** All that it writes waits for a moderator: the account of guests (community/widget). */
  held?: true
  /** How the caller came in: by the site's session, or with a client's token of these scopes, which belongs to a grant. */
  via: { session: string; byPasskey?: boolean } | TokenVia
}

/** A token of a client. */
interface TokenVia {
  scopes: readonly Scope[]
  clientId: string
  grantId: string | null
  /** What it may do at most: never more than its grant. */
  bounds?: GrantBounds | undefined
  /** Where it was handed on. */
  handedOn?: HandedOnVia | undefined
  /** The site that signed the request, where that was verified (request/credentials.ts): a mark, and no right. */
  signer?: string | undefined
}

/** What a call with a token that was handed on is to those above it. */
export interface HandedOnVia {
  /** By whom it came; the last one acts. */
  helpers: readonly Helper[]
  /** What the grant itself is bound by: it counts what its helpers do. */
  grantBounds: GrantBounds | undefined
  /** Of the token; empty for a write that waited for a yes. */
  tokenHash: string
}

/** What a request says of itself besides its body. A call in process has what its request over HTTP would have. */
export type Sender = Pick<Request, 'method' | 'url' | 'headers'>

export interface Context<Who = Caller | undefined> extends Dependencies {
  caller: Who
  /** The moment of the request, ISO 8601 with milliseconds. */
  now: string
  /** When the caller sent it: earlier than `now` where it waited for the yes of its account. */
  sentAt: string
  /** Whether the account said yes to it after it was sent, or a person accepted it as a suggestion. */
  isAgreedTo: boolean
  /** Who agreed to a version that waited for an owner or a maintainer. */
  approver?: { id: string; username: string | null } | undefined
  /** The network address the request came from, for limits and the audit log; never trusted for more. */
  address: string
  /** The User-Agent header; never trusted, never stored unchanged. */
  userAgent(): string | null
  /** Counts the call, if its operation has a budget. */
  budget: Budget
  /**
   * For what is counted before the handler waits for files, threads or the network. Where the answer is kept (Idempotency-Key), `db`
   * has one transaction for the whole request; this has one of its own.
   */
  apart: Db
  /** The database itself: for what is counted although the write is only tried. Nothing of the request may be open then. */
  always: Db
  /** For whom threads work: their CPU time is a budget of the caller and of its network. */
  worker(): Worker
  /**
   * Does what follows a commit, such as removing files; never for a write that is only tried. Where the answer is kept (Idempotency-Key),
   * the handler has ended by then: what `work` gives is the output in the place of the handler's, and a Problem is the answer.
   */
  afterCommit(work: () => Promise<unknown>): Promise<void>
  /** The address and the headers, for proofs that its sender holds a key; input and body are already parsed. */
  request: Sender
  /** Headers to send with the answer. */
  reply: Headers
  /** The raw value of the session cookie, if there was one. */
  sessionToken: string | undefined
  /** Any other cookie of the request, as it came. */
  cookie(name: string): string | undefined
  /** The caller, for the part of an open operation that needs one: throws the error of an operation with a required credential. */
  requireCaller(): Caller
  /** Whether the caller may still make this call, by the same credentials: for an answer that goes on after it. */
  mayGoOn(): Promise<boolean>
}

type CallerOf<O extends Operation> = O['access']['credential'] extends 'required' | 'session'
  ? Caller
  : Caller | undefined

/** Checks raw fields before they are parsed and before a file is stored: throws the errors that take precedence. */
export type Precheck = (given: Readonly<Record<string, unknown>>) => void

/** Reads the body of an upload or a late body. Called when everything that can be refused without it has been. */
type BodyOf<O extends Operation> = O extends { upload: infer Rules extends UploadRules }
  ? (precheck?: Precheck) => Promise<Form<Rules>>
  : O extends { deferredBody: infer Body extends z.ZodObject }
    ? (precheck?: Precheck) => Promise<z.output<Body>>
    : undefined

/** What it gives is completed by the contract: `href` is added to it (contract/href.ts). */
export type Handler<O extends Operation> = (
  context: Context<CallerOf<O>>,
  input: z.output<O['input']>,
  body: BodyOf<O>,
) => Promise<z.input<O['output']>>

/** One handler for every operation of a contract; an operation without one does not compile. */
export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> }

/** What the account lets this agent do at most, as a field; none in a browser, and where nothing is bound. */
export const boundsOf = ({ via }: Pick<Caller, 'via'>): { bounds?: GrantBounds } =>
  'bounds' in via && via.bounds ? { bounds: via.bounds } : {}
