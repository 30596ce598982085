// What a write is about, read as its account sees it: its title, its address, and what the write would change there. So the account decides
// about the thing itself and not about what an agent calls it.
import { createHash } from 'node:crypto'
import { contentTypesOf } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { SendActing } from '../../request/acting.ts'
import type { Caller } from '../../request/handler.ts'
import { objectIn } from '../../runtime/json.ts'
import { fieldsIn, titleIn } from './fields.ts'
import type { KeptRequest, Target } from './request.ts'

export interface Reading {
  operations: readonly Operation[]
  baseUrl: string
  send: SendActing
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

/** What a request is about; null for what makes something new, and for what the account cannot read. */
export async function readTarget(
  { operations, baseUrl, send }: Reading,
  operation: Operation,
  asked: { request: KeptRequest; caller: Caller; now: string },
): Promise<Target | null> {
  const { request, caller, now } = asked
  const path = pathOfTarget(operation, operations)
  if (path === undefined) return null
  const values = valuesIn(operation, request.target)
  const address = path.replace(/\{\w+\}/g, (name) => values.get(name) ?? name)
  const account = { ...caller, via: { session: '' } }
  const reading = { caller: account, blocked: false, leaving: false, sentAt: now, take: never, keep: async () => {} }
  const answer = await send(new Request(`${baseUrl}/api${address}`), reading, request.address)
  const found = answer.ok ? objectIn(await answer.text()) : undefined
  if (!answer.ok) await answer.body?.cancel()
  if (answer.status >= 500) throw new Problem('unavailable', 'What this is about cannot be read now; try again later')
  if (!found) return null
  // What is added to a thing has fields of its own.
  const isChange = request.method === 'PATCH' || request.method === 'PUT'
  const named = isChange ? Object.keys(fieldsIn(request)).filter((name) => Object.hasOwn(found, name)) : []
  const { url } = found
  return {
    title: titleIn(found) ?? address,
    url: typeof url === 'string' ? url.replace(baseUrl, '') : null,
    before: Object.fromEntries(named.map((name) => [name, found[name]])),
  }
}

const never = async () => false

/** What an account was shown: an approval is of this and of nothing else. */
export const hashOfShown = (request: KeptRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex')
