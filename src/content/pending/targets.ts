// What a write is about, read as its account sees it: its title, its address, and what the write would change there. So the account decides
// about the thing itself and not about what an agent calls it.

import { createHash } from 'node:crypto'
import { contentTypesOf } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem, statusOf } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { lockUser } from '../../identity/account-queries.ts'
import type { CallActing } from '../../request/acting.ts'
import type { Caller } from '../../request/handler.ts'
import { recordOf } from '../../runtime/json.ts'
import { required } from '../../runtime/untyped.ts'
import type { LockThing } from '../things.ts'
import { fieldsIn, titleIn } from './fields.ts'
import type { KeptRequest, Target } from './request.ts'

export interface TargetReader {
  operations: readonly Operation[]
  baseUrl: string
  callActing: CallActing
  /** The locks of things, by the path where the API has one. A post of the blog is a file, and what an account follows is its own. */
  locks: ReadonlyMap<string, LockThing>
}

/** Parts of the API that have another path than the thing they are about. */
const ELSEWHERE: readonly [RegExp, string][] = [
  [/\/comments\/\{commentId\}$/, '/community/comments/{commentId}'],
  [/^\/community\/library\/\{id\}/, '/library/items/{id}'],
  [/^\/library\/(?:versions|maintainers)\/\{id\}/, '/library/items/{id}'],
]

/** The path of the thing that an operation is about, with the names that the operation has. */
function pathOfTarget({ path }: Operation, operations: readonly Operation[]): string | undefined {
  const moved = ELSEWHERE.find(([pattern]) => pattern.test(path))?.[1]
  if (moved) return moved
  const readable = new Set(
    operations.filter(({ method, output }) => method === 'GET' && !contentTypesOf(output)).map((one) => one.path),
  )
  const segments = path.split('/')
  for (let length = segments.length; length > 1; length--) {
    const beginning = segments.slice(0, length).join('/')
    if (beginning.endsWith('}') && [...readable].some((one) => one === beginning)) return beginning
  }
  return undefined
}

/** The values of the names in the path of an operation. */
function valuesIn({ path }: Operation, target: string): Map<string, string> {
  const [given = ''] = target.split('?')
  const values = given.replace(/^\/api/, '').split('/')
  return new Map(
    path.split('/').flatMap((segment, at) => (/^\{\w+\}$/.test(segment) ? [[segment, values[at] ?? '']] : [])),
  )
}

export interface AboutRequest {
  request: KeptRequest
  caller: Caller
  now: string
  /** Reads in this transaction. */
  on?: Transaction
}

/**
 * What a request is about; null for what makes something new, and for what the account cannot read.
 * @throws Problem unavailable when it cannot be read now
 */
export async function readTarget(
  { operations, baseUrl, callActing }: TargetReader,
  operation: Operation,
  { request, caller, now, on }: AboutRequest,
): Promise<Target | null> {
  const path = pathOfTarget(operation, operations)
  if (path === undefined) return null
  const values = valuesIn(operation, request.target)
  const address = path.replace(/\{\w+\}/g, (name) => values.get(name) ?? name)
  const account = { ...caller, via: { session: '' } }
  const reading = {
    caller: account,
    blocked: false,
    leaving: false,
    sentAt: now,
    on,
    take: never,
    keep: async () => {},
  }
  const reader = required(operations.find((one) => one.method === 'GET' && namesAside(one.path) === namesAside(path)))
  const call = { operation: reader, target: `/api${address}`, address: request.address }
  const found = recordOf(await callActing(call, reading).catch(unlessOut))
  if (!found) return null
  // What is added to a thing has fields of its own.
  const isChange = request.method === 'PATCH' || request.method === 'PUT'
  const named = isChange ? Object.keys(fieldsIn(request)).filter((name) => Object.hasOwn(found, name)) : []
  const { id, url } = found
  return {
    ...(typeof id === 'string' && { id }),
    title: titleIn(found) ?? address,
    url: typeof url === 'string' ? url.replace(baseUrl, '') : null,
    before: Object.fromEntries(named.map((name) => [name, found[name]])),
  }
}

const never = async () => false

const namesAside = (path: string) => path.replace(/\{\w+\}/g, '{}')

/** What cannot be read is nothing to the account. Throws `unavailable` for an error of the server. */
function unlessOut(error: unknown): undefined {
  if (error instanceof Problem && statusOf[error.code] < 500) return undefined
  throw new Problem('unavailable', 'What this is about cannot be read now; try again later')
}

/**
 * Locks what a request is about until the transaction ends, and with it what it is merged into, in the order of their ids. The account comes
 * before, as everywhere.
 */
async function lockTarget(
  { operations, locks }: TargetReader,
  operation: Operation,
  { request, caller, on }: AboutRequest & { on: Transaction },
): Promise<void> {
  const path = pathOfTarget(operation, operations)
  const lock = path === undefined ? undefined : locks.get(path)
  if (!lock || request.about?.id === undefined) return
  await lockUser(on, { id: caller.id })
  const { targetId } = fieldsIn(request)
  const ids = [request.about.id, ...(typeof targetId === 'string' ? [targetId] : [])]
  for (const id of ids.toSorted()) await lock(on, id)
}

/**
 * The request with what it is about now, where the account was shown something else. With `on` that is locked: nothing changes it before
 * that transaction ends.
 * @throws Problem unavailable when it cannot be read now
 */
export async function changedSince(
  reading: TargetReader,
  operation: Operation,
  asked: AboutRequest,
): Promise<KeptRequest | undefined> {
  const { request, on } = asked
  // What an earlier version kept says nothing of what it is about.
  if (request.about === undefined) return undefined
  if (on) await lockTarget(reading, operation, { ...asked, on })
  const about = await readTarget(reading, operation, asked)
  // What is gone is refused by the write itself, which says so to the agent.
  if (about === null && request.about) return undefined
  const current = { ...request, about }
  return hashOfShown(current) === hashOfShown(request) ? undefined : current
}

export const notAsShown = () =>
  new Problem('conflict', 'What this is about has changed since you were asked; look at it again')

/** What an account was shown: an approval is of this and of nothing else. */
export const hashOfShown = (request: KeptRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex')
