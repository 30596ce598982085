// Which answers of a read may be kept until a commit changes what was read, and for whom: for all anonymous users, or for one session.
import type { Access, Operation } from '../contract/operation.ts'
import type { FailedProof } from '../request/credentials.ts'
import type { Caller } from '../request/handler.ts'
import type { Authentication, Credentials } from './authorize.ts'
import type { CallResult } from './call-request.ts'

interface KnownCaller {
  authenticated: Authentication | FailedProof | undefined
  caller: Caller | undefined
  credentials: Pick<Credentials, 'boardsOf'>
}

/** Only of reads that everybody may make: what they give depends on what is stored, and not on the moment. `access` is as the instance has it. */
export function keepingOf(
  { method, access: declared }: Pick<Operation, 'method' | 'access'>,
  access: Access,
  { authenticated, caller, credentials }: KnownCaller,
): Pick<CallResult, 'isShared' | 'ownUntil'> {
  const isKept = method === 'GET' && declared.credential === 'optional' && !credentials.boardsOf
  const isShared = isKept && !authenticated && access.credential === 'optional'
  const isOwn = isKept && caller !== undefined && 'session' in caller.via && authenticated?.caller !== undefined
  return { isShared, ownUntil: isOwn ? authenticated.goodUntil : undefined }
}
