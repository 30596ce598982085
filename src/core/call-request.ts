// What a call is made with, also a write that asks for more than to be made (once.ts, kept-write.ts), and what comes of it.

import type { ExhaustedBudgets } from '../budgets/counting.ts'
import type { DryRuns } from '../budgets/keys.ts'
import type { Uploads } from '../budgets/uploads.ts'
import type { WriteKind } from '../contract/bounds.ts'
import type { Scope } from '../contract/operation.ts'
import type { ChatUser } from '../contract/own-clients.ts'
import type { Standings } from '../contract/standing.ts'
import type { Db } from '../database/schema.ts'
import type { Approval, WaitingWrite } from '../request/acting.ts'
import type { FailedProof, PresentedToken } from '../request/credentials.ts'
import type { Caller, Context, Dependencies, Sender } from '../request/handler.ts'
import type * as keys from '../request/idempotency.ts'
import type { KeptAnswer } from '../request/idempotency.ts'
import type { BodySource, CallBody } from './call-body.ts'

/** What the session of a page was found to be; empty before it was looked up. */
export interface PageSession {
  found?: Promise<Authentication | undefined>
}

/** The credentials of a request. */
export interface Credentials {
  sessionToken: string | undefined
  accessToken: PresentedToken | undefined
  /** Where the session is looked up once for all calls of a page that only reads. */
  page?: PageSession
  /** The key in the secret address of an account's skills. */
  skillKey?: string
  /** Whom a chat says a command is of, by a request that it signed (accounts/chat). */
  chatUser?: ChatUser
  /** The server itself reads, for some readers at once: what all of them may read. */
  asReader?: true
  /** With `asReader`: whose boards are read as well, by the key of a feed. */
  boardsOf?: Caller
}

export interface Authentication {
  caller: Caller
  /** Read afresh, like the caller's role. */
  blocked: boolean
  /** Whether the deletion of the account was requested. */
  leaving: boolean
  /** Until when the session lasts, if it was renewed just now: its cookie is due again. */
  renewedUntil?: string | undefined
  /** Of a session: until when it needs no other look, in milliseconds. It ends then, or is due to be renewed. */
  goodUntil?: number
  /** The key that an access token was shown with, and the nonce for its next proof (RFC 9449). */
  key?: string
  nonce?: string | undefined
}

/** A way in: turns a credential into an account, or undefined when it is not good. */
export type Authenticate<Credential, More = never> = (
  credential: Credential,
  now: string,
) => Promise<Authentication | More | undefined>

export interface Authenticators {
  session: Authenticate<string>
  bearer: Authenticate<PresentedToken, FailedProof>
  /** The key in the address of a feed: it reads feeds alone. */
  feed: Authenticate<string>
  /** The key in the secret address of an account's skills: it reads the library. */
  skills: Authenticate<string>
  /** A user of a chat who acts for an account. */
  chat: Authenticate<ChatUser>
  /** Told of each use of a scope; no call waits for it. */
  used?(caller: Caller, scope: Scope | undefined, now: string): void
}

/** The boards of the things and comments with these ids, and of those that cases and acts of moderators are on; null for the first one. */
export type BoardsOf = (db: Db, ids: readonly string[]) => Promise<readonly (string | null)[]>

/** What this process counts in memory. */
export interface Counts {
  exhausted: ExhaustedBudgets
  dryRuns: DryRuns
  uploads: Uploads
}

/** What all calls share. */
export interface Core extends Counts {
  dependencies: Dependencies
  authenticators: Authenticators
  /** The `Set-Cookie` line of a session that was renewed. */
  sessionCookie(token: string, expiresAt: string): string
  foretell: Foretell
  /** What a caller may do in boards; undefined where there are none. */
  standingsOf(caller: Caller): Promise<Standings | undefined>
  /** The boards of things and comments. */
  boardsOf: BoardsOf
  /** Throws `forbidden` where a board does not let agents do what a call does. */
  requirePowerIn(
    db: Db,
    asked: {
      caller: Caller
      kind: WriteKind
      wanted: 'write'
      input: Readonly<Record<string, unknown>>
      isPlaced: boolean
    },
  ): Promise<void>
  /** Whether programs publish no version of an item before a person agreed to it. */
  isStaged(db: Db, itemId: string): Promise<boolean>
  /** Keeps a write that needs a yes of the account. */
  askFirst(on: WriteDependencies, write: WaitingWrite): Promise<KeptAnswer>
}

export interface CallRequest {
  /** Of the request behind the call: the log has its faults under it. */
  requestId: string
  credentials: Credentials
  /** A yes of the account to a pending act, or its mail, in place of credentials. */
  acting?: Approval | undefined
  /** The input in the path, and the rest of it that is not in the body: texts, as an address has them, or several of one name. */
  path: Readonly<Record<string, string>>
  query(): Readonly<Record<string, string | string[]>>
  body: BodySource
  /** As it was sent; checked where the operation takes one. */
  idempotencyKey?: string | undefined
  isDryRun?: boolean | undefined
  /** The network address behind the call, for limits and the audit log. */
  address: string
  /** The address and the headers that the call has over HTTP, for proofs of keys and the language of mails. */
  sender: Sender
  /** The server looks for a subscriber: nothing is counted or noted. */
  isLooking?: true | undefined
  /** Gets who calls, before that is judged. */
  onCaller?(found: Authentication | FailedProof | undefined): void
}

export interface CallResult {
  status: number
  /** The answer of the operation. It must not be changed. */
  readonly output: unknown
  /** The same as JSON, for all but files and streams. */
  readonly text: string
  /** Headers of the answer: its cookies, the budget that is left, and what the handler says besides. */
  reply: Headers
  /** Whether every anonymous caller gets the same. */
  isShared: boolean
  /** Until when the session that asked gets the same, in milliseconds, where no commit changes it; undefined where that is not known. */
  ownUntil?: number | undefined
}

/** What a handler gets in the place of the plain dependencies. */
export type WriteDependencies = Pick<Context, 'db' | 'apart' | 'blobs' | 'afterCommit'>

/** How many accounts and webhooks would hear of what an account has done in a transaction, since an id. */
type Foretell = (db: Db, act: { since: string; by: string }) => Promise<{ notifications: number; webhooks: number }>

export interface WriteRequest {
  dependencies: Dependencies
  owner: keys.KeyOwner
  /** The network that it came from. */
  network: string
  now: string
  /** What makes two requests the same: the operation, the address and the body. */
  sent: { operation: string; url: string; body: CallBody }
  /** Whether the answer has a secret, and is not kept. */
  isShownOnce: boolean
  dryRuns: DryRuns
  foretell: Foretell
  /** Keeps a write that needs a yes, and answers that it waits. */
  ask(on: WriteDependencies, write: Pick<WaitingWrite, 'preview' | 'body'>): Promise<keys.KeptAnswer>
  perform(on: WriteDependencies): Promise<keys.KeptAnswer>
  /** The body of the answer with this output. */
  textOf(output: unknown): string
}

/** Who calls, and with what. */
export interface CallState {
  authenticated: Authentication | FailedProof | undefined
  caller: Caller | undefined
  /** Of a write. */
  body: CallBody | undefined
}
