// Who may read, the one gate of a private instance: it answers for a caller and a place. The settings are read at each call, because they may
// change while the server runs. And which answers may be kept for whom.
import type { Config } from '../config/config.ts'
import type { Access, Area, Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { FailedProof } from '../request/credentials.ts'
import type { Caller } from '../request/handler.ts'
import { parseJson } from '../runtime/untyped.ts'
import type { Authentication, CallResult, Credentials } from './call-request.ts'

export type Readers = Pick<Config, 'readers' | 'readerDomains' | 'readerGroups' | 'external'>

/** Where something is read. Today all of an instance is one place: its areas differ in the scope they need. */
export interface Place {
  area: Area
}

/** Who reads, as far as this decides. */
export type Reader = Pick<Caller, 'email' | 'verified' | 'role' | 'withheld' | 'externalGroups'>

/** Whether reading needs an account. */
export const isPrivate = ({ readers }: Pick<Readers, 'readers'>): boolean => readers !== 'everyone'

/** What a caller hears who is signed in and is not among the readers. */
export const NO_READER = 'Your account may not read this community; ask who runs it'

/** Whether a caller may read in a place; undefined is an anonymous one. */
export function mayRead(config: Readers, caller: Reader | undefined, { area }: Place): boolean {
  return area.reading === undefined || isReader(config, caller)
}

/** Whether a caller is among the readers of the instance. */
export const isReader = (config: Readers, caller: Reader | undefined): boolean =>
  !isPrivate(config) || (caller !== undefined && isAmong(config, caller))

/** Throws where a signed-in caller is not among the readers of a place. */
export function requireReader(config: Readers, caller: Reader, place: Place): void {
  if (!mayRead(config, caller, place)) throw new Problem('forbidden', NO_READER)
}

/** Moderators and admins always read: a setting cannot lock them out. */
function isAmong({ readerDomains, readerGroups, external }: Readers, caller: Reader): boolean {
  if (caller.role !== 'member' || caller.withheld) return true
  if (readerDomains.length === 0 && readerGroups.length === 0) return true
  const domain = caller.email.slice(caller.email.lastIndexOf('@') + 1)
  if (caller.verified && readerDomains.includes(domain)) return true
  if (readerGroups.length === 0) return false
  return groupsOfCaller({ external }, caller).some((group) => readerGroups.includes(group))
}

/** The groups of an account at the provider of today. */
export function groupsOfCaller(
  { external }: Pick<Readers, 'external'>,
  { externalGroups }: Pick<Reader, 'externalGroups'>,
): readonly string[] {
  if (!externalGroups) return []
  const { issuer, groups } = parseJson<StoredGroups>(externalGroups)
  return issuer === external?.issuer ? groups : []
}

/** The groups of an account as `user.externalGroups` has them. */
export interface StoredGroups {
  issuer: string
  groups: readonly string[]
}

const closed = new WeakMap<Access, Access>()

/**
 * The access of an operation as the instance has it now. Where that is private, reading needs a credential: the scope of the operation, or
 * that of its area, for a token; a session needs none. A link of a mail stays open.
 */
export function accessOf(access: Access, config: Pick<Readers, 'readers'>): Access {
  const { area, credential, byLink } = access
  if (!isPrivate(config) || area.reading === undefined || byLink) return access
  if (credential === 'required' || credential === 'session') return access
  let needed = closed.get(access)
  if (!needed) {
    needed = { ...access, credential: 'required', scope: access.scope ?? area.reading }
    closed.set(access, needed)
  }
  return needed
}

// Which answers of a read may be kept until a commit changes what was read, and for whom: for all anonymous users, or for one session.

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
