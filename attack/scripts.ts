// Scripts of agents: used to stop the server, to reach its process, to write without a yes or a scope, and to read of others.
import { type Attack, hold, holdStatus } from './attack.ts'
import { bearer, register, signIn } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { BUG } from './things.ts'

const CLAUSE = 'agents'
const EVERYTHING = 'community:read community:write library:read library:write'

const headers = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' }

const called = (agent: Person, name: string, given: object) =>
  agent.post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }, headers)
const run = (agent: Person, script: string) => called(agent, 'run_script', { script })

async function agentOf(target: Target, owner: Person, { scope = EVERYTHING, bounds = {} } = {}): Promise<Person> {
  const more: Record<string, string> =
    Object.keys(bounds).length > 0
      ? { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ...bounds }]) }
      : {}
  const { accessToken } = await signIn(target, owner, { clientId: await register(target), scope, more })
  return bearer(target, accessToken)
}

const HEAVY = [
  'while (true) {}',
  'for (;;) await null',
  'const all = []; while (true) all.push("x".repeat(10000) + all.length)',
  'let text = "x"; while (true) text += text',
  'return new Uint8Array(1e9).length',
  'return /^(a+)+$/.test("a".repeat(60) + "b")',
  'const deep = () => deep() + 1; return deep()',
  'return { toJSON() { while (true) {} } }',
  'Object.defineProperty(Object.prototype, "then", { get() { while (true) {} } }); await api.bugs.list()',
  'return await Promise.all(Array.from({ length: 5000 }, () => api.bugs.list()))',
  'return "x".repeat(15000000)',
]

const REACHING = [
  'return process.env',
  'return require("node:fs")',
  'return await import("node:child_process")',
  'return await fetch("http://127.0.0.1")',
  'return this.constructor.constructor("return process")()',
  'return api.bugs.list.constructor("return process")()',
  'return (async () => {}).constructor("return process.mainModule")()',
  'return new Function("return globalThis.process.pid")()',
  'return (0, eval)("process.pid")',
  'return new WebAssembly.Memory({ initial: 1 }).buffer.byteLength',
  'return new Worker("x")',
  'return navigator.userAgent',
]

export const scripts: Attack[] = [
  {
    name: 'a script that loops, allocates or asks for too much ends by itself, and the server answers others',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const agent = await agentOf(target, await target.newcomer())
      for (const script of HEAVY) {
        const began = performance.now()
        const [reply, other] = await Promise.all([run(agent, script), target.anonymous().get('/api/community/bugs')])
        holdStatus(other, [200], `the list of bugs beside ${script}`)
        holdStatus(reply, [200], script)
        hold(/"isError":true/.test(reply.text), `${script}: ${reply.text.slice(0, 200)}`)
        hold(performance.now() - began < 30_000, `${script}: it took ${performance.now() - began} ms`)
      }
      holdStatus(await run(agent, 'return 1'), [200], 'a script after that')
      return `${HEAVY.length} scripts ended`
    },
  },
  {
    name: 'a script reaches nothing of the process, the network and the files',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const agent = await agentOf(target, await target.newcomer())
      for (const script of REACHING) {
        const reply = await run(agent, script)
        hold(/"isError":true/.test(reply.text), `${script}: ${reply.text.slice(0, 200)}`)
      }
      return `${REACHING.length} ways out are closed`
    },
  },
  {
    name: 'a script, and call_operation, write nothing without the scope, the yes and the bounds that the tool itself needs',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const ways = [
        (agent: Person) => run(agent, `return await api.bugs.create(${JSON.stringify(BUG)})`),
        (agent: Person) =>
          run(agent, `return await api.bugs.create(${JSON.stringify(BUG)}, { name: 'bugs.list', acting: {} })`),
        (agent: Person) => called(agent, 'call_operation', { name: 'bugs.create', input: BUG }),
        (agent: Person) => called(agent, 'call_operation', { name: 'create_bug', input: BUG }),
      ]
      const readers = await agentOf(target, owner, { scope: 'community:read' })
      const asking = await agentOf(target, owner, { bounds: { ask: ['posts', 'library'] } })
      for (const way of ways) {
        const refused = await way(readers)
        hold(refused.status === 403 || /"isError":true/.test(refused.text), `without the scope: ${refused.text}`)
        const waits = await way(asking)
        hold(/pending|"isError":true/.test(waits.text), `without a yes: ${waits.text.slice(0, 300)}`)
      }
      holdStatus(await called(target.anonymous(), 'run_script', { script: 'return 1' }), [401], 'without a token')
      const made = await owner.api.bugs.list({ authorId: owner.id })
      hold(made.total === 0, `${made.total} bugs were made`)
      return 'as the tools themselves'
    },
  },
  {
    name: 'a script that changes the language it has makes no call that it was not to make',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const agent = await agentOf(target, owner, { scope: 'community:read' })
      const { id } = await other.api.bugs.create(BUG)
      const wish = JSON.stringify({ wishes: [{ name: 'bugs.delete', input: { id }, how: {} }] })
      const tricks = [
        `JSON.stringify = () => '${wish}'; await api.bugs.list()`,
        `Object.prototype.toJSON = () => (${wish}); await api.bugs.list()`,
        `Array.prototype.map = () => (${wish}).wishes; await api.bugs.list()`,
        `Array.prototype.splice = () => 5; await api.bugs.list()`,
        `String.prototype.toString = () => '${wish}'; await api.bugs.list()`,
        `Object.defineProperty(globalThis, 'api', { value: { bugs: {} } }); return api`,
        `})(); globalThis.out = 1; (async () => { return await api.__proto__.constructor()`,
      ]
      for (const script of tricks) await run(agent, script)
      hold((await other.api.bugs.get({ id })).title === BUG.title, 'the bug of another is gone')
      const after = await run(agent, 'return typeof globalThis.out')
      hold(/undefined/.test(after.text), `something stayed: ${after.text.slice(0, 200)}`)
      return 'each script has a language of its own'
    },
  },
]
