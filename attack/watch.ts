// Attacks that are watched: while they run, the event loop of the server must not stand still and its memory must not grow much.
import { onePixelDeepPng } from '../test/pictures.ts'
import { type Attack, hold } from './attack.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'
import { addRun, makeOrg, setAvatar } from './things.ts'

export const STOPPING = '3 stopping'
export const MEBIBYTE = 1024 * 1024
const LONGEST_TURN_MILLISECONDS = 200
const MEMORY_BYTES = 100 * 1024 * 1024

/** Does it while the process is watched: no turn of its event loop may take long, and memory may not grow much. */
export async function watched<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const { own } = target
  const before = await own.report()
  const result = await work()
  const { longestTurn, memory } = await own.report()
  const grown = memory - before.memory
  hold(longestTurn <= LONGEST_TURN_MILLISECONDS, `the process stood still for ${Math.round(longestTurn)} ms`)
  hold(grown <= MEMORY_BYTES, `memory grew by ${Math.round(grown / MEBIBYTE)} MB`)
  return result
}

/** Refused, be it by closing the connection. */
export const refused = (reply: Reply, what: string) => {
  hold(reply.status === 0 || (reply.status >= 400 && reply.status < 500), `${what}: ${reply.status}`)
  return `${what}: ${reply.status}`
}

/** Calls a tool of MCP as this person. */
export const callTool = (person: Person, name: string, given: object): Promise<Reply> =>
  person.post(
    '/api/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    { Accept: 'application/json, text/event-stream' },
  )

/** An attack that is one request (or a few), watched; no answer may be a 5xx. */
export function stopping(name: string, run: (target: Target, alice: Person) => Promise<string>): Attack {
  return {
    name,
    clause: STOPPING,
    needs: ['process', 'load'],
    async run(target) {
      const alice = await target.member('alice')
      await warm(target, alice)
      return watched(target, () => run(target, alice))
    },
  }
}

const warmed = new WeakSet<Target>()

/** Lets the server load what it loads when first asked, so that this does not count as growth. */
async function warm(target: Target, alice: Person): Promise<void> {
  if (warmed.has(target)) return
  warmed.add(target)
  const { id, slug } = await makeOrg(alice)
  const { runId, fileId } = await addRun(alice, id, { 'a.md': '*a* `b` [c](d)\n\n'.repeat(2_000) })
  const page = { path: `/community/orgs/${slug}/runs/${runId}/${fileId}` }
  await Promise.all(Array.from({ length: 20 }, () => target.send(page)))
  await setAvatar(alice, onePixelDeepPng(2_000, 2_000))
  await target.send({ path: '/sign-in' })
}
