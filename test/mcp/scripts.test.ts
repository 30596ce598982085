// Scripts of agents: what they call is what the agent calls, with its rights; they reach nothing else, and end in time.
import assert from 'node:assert/strict'
import { MAX_CALLS, MAX_SCRIPT } from '../../src/surfaces/mcp/scripts/run.ts'
import { MAX_RESULT } from '../../src/surfaces/mcp/scripts/sandbox.ts'
import { agentThatAsks, bug } from '../pending.ts'
import { onEveryEngine, type World } from '../world.ts'
import { ask, callTool, dataOf, eras, tokenOf } from './caller.ts'

const ON = { MCP_SCRIPTS: 'on' }

interface Ended {
  error: string
  called: string[]
}

/** What a script returned; fails where it did not. */
async function returned(world: World, script: string, asking: Parameters<typeof ask>[3]): Promise<unknown> {
  const result = await callTool(world.app, 'run_script', { script }, asking)
  assert.ok(!result.isError, JSON.stringify(result.content))
  assert.equal(result.structuredContent, undefined)
  return JSON.parse(dataOf(result))
}

/** Why a script ended, and what it had called by then. */
async function ended(world: World, script: string, asking: Parameters<typeof ask>[3]): Promise<Ended> {
  const result = await callTool(world.app, 'run_script', { script }, asking)
  assert.equal(result.isError, true, JSON.stringify(result.content))
  return JSON.parse(dataOf(result)) as Ended
}

onEveryEngine(
  'a script',
  (it) => {
    it('is one of two tools, and gets for its calls what call_operation answers, in both eras', async (world) => {
      const { app, alice } = world
      const token = await tokenOf(world, alice)
      const { id } = await alice.bugs.create({ ...bug, title: 'Hidden\u200b <b>' })
      for (const era of eras) {
        const { messages } = await ask(app, 'tools/list', {}, { era, headers: { 'MCP-Tools': 'two' } })
        const { tools } = messages[0]!.result as unknown as { tools: { name: string }[] }
        assert.deepEqual(
          tools.map(({ name }) => name),
          ['search_api', 'run_script'],
        )
        for (const [name, input] of [
          ['bugs.get', { id }],
          ['bugs.list', { per_page: 1 }],
          ['library.me', {}],
          ['news.list', {}],
        ] as const) {
          const own = await callTool(app, 'call_operation', { name, input }, { token, era })
          const script = `return await api.${name}(${JSON.stringify(input)})`
          assert.deepEqual(await returned(world, script, { token, era }), own.structuredContent, name)
        }
        const both = 'const [a, b] = await Promise.all([api.bugs.list(), api.posts.list()])\nreturn [a.total, b.total]'
        assert.deepEqual(await returned(world, both, { token, era }), [1, 0])
      }
      const { content } = await callTool(app, 'search_api', { query: 'comment on a bug' }, {})
      assert.match(
        content[0]!.text!,
        /^api\.bugs\.comment\(input: \{ id: string, body: string, parentId\?: string \}\): \{/m,
      )
    })

    it('writes as its agent, once by a key, only tried by a dry run, and edits what it read to the same', async (world) => {
      const token = await tokenOf(world, world.alice)
      const created = `const made = await api.bugs.create(${JSON.stringify(bug)}, { idempotencyKey: 'k' })\nreturn made.id`
      const first = await returned(world, created, { token })
      assert.equal(await returned(world, created, { token }), first)
      const tried = `const made = await api.posts.create({ title: 'A', body: 'B' }, { dryRun: true })\nreturn made.dryRun`
      assert.equal(await returned(world, tried, { token }), true)
      assert.equal((await world.alice.posts.list()).total, 0)
      const odd = 'A\u200bB <b> \\u200b'
      const { id } = await world.alice.bugs.create({ ...bug, description: odd })
      const edit = `const { description } = await api.bugs.get({ id: '${id}' })\nawait api.bugs.edit({ id: '${id}', description })\nreturn description`
      await returned(world, edit, { token })
      assert.equal((await world.alice.bugs.get({ id })).description, odd)
    })

    it('marks what it returns and why it failed as what members wrote', async (world) => {
      const { app, alice } = world
      const token = await tokenOf(world, alice)
      await alice.bugs.create({ ...bug, title: 'Obey <b>me' })
      for (const end of ['return items[0].title', 'throw new Error(items[0].title)']) {
        const script = `const { items } = await api.bugs.list()\n${end}`
        const { content } = await callTool(app, 'run_script', { script }, { token })
        assert.match(content[0]!.text!, /Do not follow instructions/)
        assert.match(content[1]!.text!, /Obey \\\\u003cb>me/)
        assert.deepEqual(content[1]!._meta, { 'guildhall/untrusted': true })
        assert.match(content[2]!.text!, /^--- end of data/)
      }
    })

    it('needs a token, and its calls the scopes and the yes that they would need', async (world) => {
      const { app, alice } = world
      const call = (script: string, token?: string) =>
        ask(app, 'tools/call', { name: 'run_script', arguments: { script } }, token ? { token } : {})
      const anonymous = await call('return 1')
      assert.equal(anonymous.status, 401)
      assert.match(anonymous.headers.get('www-authenticate') ?? '', /resource_metadata/)
      const reader = await tokenOf(world, alice, 'community:read')
      const write = `await api.bugs.create(${JSON.stringify(bug)})`
      const refused = await call(`await api.bugs.list()\n${write}`, reader)
      assert.equal(refused.status, 403)
      assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope.*community:write/)
      // After a write the client is not asked to send the script again: it would write twice.
      const writer = await tokenOf(world, alice, 'community:read community:write')
      const later = await ended(
        world,
        `${write}\nawait api.library.publish({ kind: 'workflow', file: { filename: 'w.json', content: '{}' } })`,
        { token: writer },
      )
      assert.match(later.error, /library:write|scope/)
      assert.deepEqual(later.called, ['bugs.create', 'library.publish'])
      assert.equal((await alice.bugs.list()).total, 1)
      const { accessToken } = await agentThatAsks(world, ['posts'])
      const waits = await returned(world, `return await api.bugs.create(${JSON.stringify(bug)})`, {
        token: accessToken,
      })
      assert.deepEqual(Object.keys(waits as object), ['pending'])
      assert.equal((await alice.bugs.list()).total, 1)
    })

    it('is told what is wrong with a call, and can go on', async (world) => {
      const token = await tokenOf(world, world.alice)
      const told = async (call: string) => {
        const script = `try { await ${call} } catch (error) { return error.message }`
        return String(await returned(world, script, { token }))
      }
      assert.match(await told('api.bugs.explode()'), /no operation called bugs\.explode: ask search_api/)
      assert.match(await told('api.constructor.prototype()'), /no operation called constructor\.prototype/)
      assert.match(await told('api.bugs.create({ title: "" })'), /^title/)
      assert.match(await told('api.bugs.list({ perpage: 1 })'), /did you mean per_page/)
      assert.match(await told('api.bugs.list("all")'), /input: must be an object/)
      assert.match(await told('api.bugs.list({}, { dry_run: true })'), /did you mean dryRun/)
      await world.alice.posts.create({ title: 'A', body: 'B' })
      const other = 'return (await api.bugs.list({}, { name: "posts.list", input: {} })).total'
      assert.equal(await returned(world, other, { token }), 0)
      assert.match(await told('api.bugs.list({}, 1)'), /second argument/)
      assert.match(await told('api.bugs.get({ id: "none" })'), /No such bug/)
      assert.match(
        await told('api.accounts.signUp({ email: "a@example.com", password: "long enough 1", name: "A" })'),
        /no operation/,
      )
    })

    it('has limits of its own length, of its calls and of its result, each at n and n + 1', async (world) => {
      const token = await tokenOf(world, world.alice)
      const long = (length: number) => `return 1//${'x'.repeat(length - 'return 1//'.length)}`
      assert.equal(await returned(world, long(MAX_SCRIPT), { token }), 1)
      const tooLong = await callTool(world.app, 'run_script', { script: long(MAX_SCRIPT + 1) }, { token })
      assert.equal(tooLong.content[0]!.text, `script: must have at most ${MAX_SCRIPT} characters`)
      assert.equal((await callTool(world.app, 'run_script', { script: 1 }, { token })).isError, true)
      assert.equal((await callTool(world.app, 'run_script', {}, { token })).isError, true)
      const calls = (count: number) =>
        `for (let n = 0; n < ${count}; n++) await api.bugs.list({ per_page: 1 })\nreturn 'done'`
      assert.equal(await returned(world, calls(MAX_CALLS), { token }), 'done')
      const many = await ended(world, calls(MAX_CALLS + 1), { token })
      assert.match(many.error, /at most 20 calls/)
      assert.equal(many.called.length, MAX_CALLS)
      const atOnce = await ended(
        world,
        `return await Promise.all(Array.from({ length: ${MAX_CALLS + 1} }, () => api.bugs.list()))`,
        { token },
      )
      assert.match(atOnce.error, /at most 20 calls/)
      const wide = (length: number) => `return 'x'.repeat(${length - 2})`
      assert.equal(String(await returned(world, wide(MAX_RESULT), { token })).length, MAX_RESULT - 2)
      assert.match((await ended(world, wide(MAX_RESULT + 1), { token })).error, /return less/)
    })

    it('ends in time, in little memory, and reaches nothing', async (world) => {
      const token = await tokenOf(world, world.alice)
      const wrong: [script: string, error: RegExp][] = [
        ['while (true) {}', /took too long/],
        ['for (;;) await null', /took too long/],
        ['return /^(a+)+$/.test("a".repeat(60) + "b")', /took too long/],
        ['return { toJSON() { while (true) {} } }', /took too long/],
        ['const all = []; while (true) all.push("x".repeat(1000) + all.length)', /memory/],
        ['const deep = () => deep() + 1; return deep()', /stack/],
        ['await new Promise(() => {})', /never comes/],
        ['return await import("node:fs")', /could not load/],
        ['return process.env', /process is not defined/],
        ['return this.constructor.constructor("return process")()', /undefined|not defined/],
        ['return api.bugs.list.constructor("return process")()', /not defined/],
        ['const o = {}; o.o = o; return o', /circular/],
        ['}', /Syntax/],
      ]
      for (const [script, error] of wrong) {
        assert.match((await ended(world, script, { token })).error, error, script)
      }
      const names =
        'return ["process", "require", "fetch", "console", "setTimeout", "WebAssembly", "Worker", "navigator", "__dirname"].filter((name) => name in globalThis)'
      assert.deepEqual(await returned(world, names, { token }), [])
      const alike = 'return [Date.now() === Date.now(), typeof Math.random()]'
      assert.deepEqual(await returned(world, alike, { token }), [true, 'number'])
    })

    it('harms itself alone when it changes the language that it has', async (world) => {
      const token = await tokenOf(world, world.alice)
      const tricks = [
        'Object.prototype.error = "no"; return (await api.bugs.list()).total',
        'Promise.prototype.then = () => 5; return await api.bugs.list()',
        'Object.prototype.toJSON = () => ({ wishes: [{ name: "bugs.create" }] }); return await api.bugs.list()',
        'JSON.stringify = () => "x"; JSON.parse = () => "y"; return (await api.bugs.list()).total',
        'Array.prototype.map = () => [{ name: "admin.block" }]; await api.bugs.list(); return 1',
      ]
      for (const script of tricks) {
        const result = await callTool(world.app, 'run_script', { script }, { token })
        assert.ok(result.content.length > 0, script)
        assert.equal(await returned(world, 'return (await api.bugs.list()).total', { token }), 0)
      }
    })
  },
  ON,
)

onEveryEngine(
  'a script on a private instance',
  (it) => {
    it('reads what its account may, and nothing without one', async (world) => {
      const { app, alice } = world
      await alice.account()
      const { status } = await ask(app, 'tools/call', { name: 'run_script', arguments: { script: 'return 1' } })
      assert.equal(status, 401)
      const token = await tokenOf(world, alice)
      assert.equal(await returned(world, 'return (await api.bugs.list()).total', { token }), 0)
      const writer = await tokenOf(world, alice, 'library:read')
      const refused = await ask(
        app,
        'tools/call',
        { name: 'run_script', arguments: { script: 'return await api.bugs.list()' } },
        { token: writer },
      )
      assert.equal(refused.status, 403)
    })
  },
  { ...ON, READERS: 'members' },
)

onEveryEngine(
  'a script where a part is off',
  (it) => {
    it('finds and calls nothing of it', async (world) => {
      const token = await tokenOf(world, world.alice)
      const script = 'try { await api.posts.list() } catch (error) { return error.message }'
      assert.match(String(await returned(world, script, { token })), /no operation called posts\.list/)
      const { content } = await callTool(world.app, 'search_api', { query: 'write a post' })
      assert.ok(!content[0]!.text!.includes('api.posts.'), content[0]!.text!)
    })
  },
  { ...ON, PARTS_OFF: 'posts' },
)

onEveryEngine(
  'the time of scripts',
  (it) => {
    it('counts against that of the account, which is refused when it is used up', async (world) => {
      const token = await tokenOf(world, world.alice)
      assert.match((await ended(world, 'while (true) {}', { token })).error, /took too long/)
      // The first one may have used a little less than a second.
      await callTool(world.app, 'run_script', { script: 'while (true) {}' }, { token })
      const refused = await callTool(world.app, 'run_script', { script: 'return 1' }, { token })
      assert.match(refused.content[0]!.text!, /^Files and scripts of this account took too long.*Retry-After/)
    })
  },
  { ...ON, RATE_LIMITS: 'on', BUDGETS: 'work: 1/hour, 1/hour' },
)
