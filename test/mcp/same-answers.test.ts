// A tool is the operation under another name: what it answers is what REST answers to the same caller, field by field;
// the structure is that after one function, which is applied to REST's answer here.
// Derived: every operation for reading that tools offer is asked, with something in the world to answer about.
import assert from 'node:assert/strict'
import { api } from '../../src/api.ts'
import { contentTypesOf } from '../../src/contract/files.ts'
import { withoutAddresses } from '../../src/contract/href.ts'
import { type Operation, pathNames } from '../../src/contract/operation.ts'
import { requestOf } from '../../src/surfaces/client.ts'
import { structureOf } from '../../src/surfaces/mcp/schema.ts'
import { isRecord } from '../../src/surfaces/mcp/tools.ts'
import { operatorsAgent } from '../agents.ts'
import { org, workflowFile } from '../library.ts'
import { pageCalls } from '../page-calls.ts'
import { insertWaiting } from '../pending.ts'
import { known } from '../teams.ts'
import { type It, onEveryEngine, type World } from '../world.ts'
import { callTool, dataOf, eras, requireSame, tokenOf } from './caller.ts'

type Input = Record<string, unknown>

const operations = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([verb, operation]) => ({
    name: `${slice}.${verb}`,
    operation,
  })),
)

/** Everything for reading that has an answer in JSON and takes a token or nothing; each challenge is another one. */
const reads = operations.filter(
  ({ name, operation: { method, access, output } }) =>
    method === 'GET' && access.credential !== 'session' && !contentTypesOf(output) && name !== 'challenges.create',
)

/** A webhook of an item of the admin, whose token asks. */
async function publishedByAdmin({ admin }: World): Promise<{ id: string; itemId: string }> {
  const { id: itemId } = await admin.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  return { ...(await admin.itemWebhooks.create({ url: 'https://example.com/hook', itemId })), itemId }
}

/** A case about a post of the admin, whose token asks, and the notice of its decision. */
async function decidedOnAdmin({ admin, bob, moderator }: World): Promise<{ caseId: string; actId: string }> {
  const { id: targetId } = await admin.posts.create({ title: 'Loud', body: 'Very' })
  await bob.reports.create({ targetType: 'post', targetId, reason: 'off_topic' })
  const { id: caseId } = (await moderator.moderation.cases({})).items[0]!
  const decision = { id: caseId, action: 'warn', rule: 'off_topic', reason: 'Too loud' } as const
  return { caseId, actId: (await moderator.moderation.decide(decision)).id }
}

/** A world with one of everything, and the values of path parameters, by the beginning of the path. */
async function furnish(world: World): Promise<(path: string) => Input> {
  const { alice, bob, moderator } = world
  const bug = await alice.bugs.create({
    title: 'Crash',
    description: 'It stops\u200b on <!-- start --> 👩‍🚀',
    severity: 'high',
  })
  const comment = await bob.bugs.comment({ id: bug.id, body: 'Here too' })
  await bob.bugs.vote({ id: bug.id, value: 1 })
  const label = await moderator.labels.create({ name: 'start', color: '#b4552d' })
  const feature = await alice.features.create({ title: 'Dark mode', description: 'At night' })
  const post = await alice.posts.create({ title: 'Hello', body: 'World' })
  const release = await moderator.changelog.create({ title: 'New', body: 'More', closes: String(bug.number) })
  const gallery = await alice.orgs.create({ orgJson: JSON.stringify(org) })
  const files = [new File(['# Result'], 'result.md')]
  const run = await alice.orgRuns.add({ id: gallery.id, label: 'first', files })
  const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  await known(world, alice, 'alice')
  const team = await alice.teams.create({ slug: 'night-shift', name: 'Night shift' })
  const hook = await world.admin.webhooks.create({ url: 'https://example.com/hook' })
  const itemHook = await publishedByAdmin(world)
  const { caseId, actId } = await decidedOnAdmin(world)
  const blog = (await alice.blog.list()).items[0]!
  const agent = await operatorsAgent(world, alice)
  await agent.posts.create({ title: 'Good morning', body: 'From the desk' })
  const from = { scope: 'github acme/looms', type: 'bug', sourceId: '1', importId: 'import', number: 7 }
  const brought = { ...from, thingId: bug.id, ownNumber: bug.number, url: 'https://old.example/7' }
  await world.db.insertInto('imported').values(brought).execute()
  const record = JSON.stringify({ type: 'person', id: '1', username: 'weaver' })
  const exported = await world.admin.dataExports.request()
  const staged = await world.admin.imports.read({
    source: 'guildhall',
    name: 'acme',
    files: [new File([record], 'a.jsonl')],
  })
  const named: [string, Input][] = [
    ['/account/exports/', { id: exported.id }],
    ['/community/admin/imports/', { id: staged.id }],
    ['/community/bugs/', { id: bug.id }],
    ['/community/threads/', { id: bug.id }],
    ['/community/comments/', { id: comment.id }],
    ['/community/lists/', { type: 'bug' }],
    ['/community/numbers/', { number: bug.number }],
    ['/community/follows/', { id: bug.id }],
    ['/community/labels/', { id: label.id }],
    ['/community/features/', { id: feature.id }],
    ['/community/posts/', { id: post.id }],
    ['/community/changelog/', { id: release.id }],
    ['/community/orgs/', { id: gallery.id, runId: run.id }],
    ['/community/blog/', { slug: blog.slug }],
    ['/community/members/', { username: 'alice' }],
    ['/community/library/', { id: item.id }],
    ['/community/admin/webhooks/', { id: hook.id }],
    ['/community/moderation/cases/', { id: caseId }],
    ['/community/moderation/notices/', { id: actId }],
    ['/library/webhooks/', { id: itemHook.id }],
    ['/library/versions/', { id: item.id, version: item.version }],
    ['/teams/', { slug: team.slug }],
    ['/community/boards/', { board: 'main' }],
    ['/library/items/', { id: item.id, kind: 'workflow', slug: item.slug, version: item.version }],
  ]
  // What a query must name.
  const path = `${item.slug}.json`
  const asked: Record<string, Input> = {
    '/community/comments': { authorId: bug.authorId },
    '/community/imported': { source: 'github', name: 'acme/looms', number: 7 },
    '/community/agents': { clientId: agent.clientId },
    '/library/items/{id}/file': { path },
    // For those who publish it.
    '/library/items/{id}/outcomes': { id: itemHook.itemId },
    '/library/items/{id}/staging': { id: itemHook.itemId },
    '/library/items/{kind}/{slug}/file': { path },
    '/library/log/consistency': { old: 1, size: 1 },
    '/search/suggest': { sign: '@', q: 'al' },
  }
  return (path) => {
    const values = named.find(([beginning]) => path.startsWith(beginning))?.[1] ?? {}
    return { ...Object.fromEntries(pathNames(path).map((name) => [name, values[name]])), ...asked[path] }
  }
}

/** An answer without the moment at which it was counted. */
const unmoved = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) => (name === 'countedAt' ? name : value))

async function restAnswer(world: World, operation: Operation, { input, token }: { input: Input; token?: string }) {
  const { app, dependencies } = world
  const request = requestOf(operation, input, { baseUrl: dependencies.config.baseUrl })
  if (token) request.headers.set('Authorization', `Bearer ${token}`)
  const response = await app.fetch(request)
  const text = await response.text()
  assert.ok(response.ok, `${operation.path}: ${text}`)
  return unmoved(JSON.parse(text))
}

/** By its name as an operation and as a tool, and by its own tool, listed or not. */
function waysTo(name: string, { tool }: Operation, input: Input) {
  const call = (called: string) => ({
    title: called,
    tool: 'call_operation',
    input: { name: called, input },
    structure: {},
  })
  if (!tool) return [call(name)]
  return [call(name), call(tool.name), { title: `${tool.name} itself`, tool: tool.name, input, structure: undefined }]
}

const readsAlike = (it: It) => {
  it('responds as REST does, to an anonymous caller and to an admin with a token, in both eras', async (world) => {
    const inputOf = await furnish(world)
    await world.app.sequenceLog()
    const token = await tokenOf(world, world.admin)
    const grant = await world.db
      .selectFrom('grant')
      .select('id')
      .where('userId', '=', (await world.admin.account()).id)
      .executeTakeFirstOrThrow()
    const pending = { id: await insertWaiting(world, world.admin, grant.id) }
    assert.ok(reads.length > 20)
    for (const { name, operation } of reads) {
      const input = operation.path === '/account/pending-acts/{id}' ? pending : inputOf(operation.path)
      const callers = operation.access.credential === 'required' ? [{ token }] : [{}, { token }]
      for (const caller of callers) {
        const expected = await restAnswer(world, operation, { input, ...caller })
        const short: unknown = JSON.parse(withoutAddresses(operation.output, JSON.stringify(expected)))
        for (const era of eras) {
          for (const way of waysTo(name, operation, input)) {
            const result = await callTool(world.app, way.tool, way.input, { era, ...caller })
            assert.equal(result.isError, undefined, `${way.title}: ${result.content[0]?.text}`)
            assert.deepEqual(unmoved(JSON.parse(dataOf(result))), short, `${way.title} as text`)
            // A null is no structure in either era: it is there as text, beside empty structure.
            const structure = isRecord(expected) ? structureOf(expected) : way.structure
            assert.deepEqual(unmoved(result.structuredContent), structure, `${way.title} as structure`)
            await requireSame(world.app, way.tool, way.input, { era, ...caller })
          }
        }
        if (!('token' in caller)) continue
        const script = `return await api.${name}(${JSON.stringify(input)})`
        const result = await callTool(world.app, 'run_script', { script }, caller)
        const value = isRecord(expected) ? structureOf(expected) : short
        assert.deepEqual(unmoved(JSON.parse(dataOf(result))), value, `${name} in a script`)
      }
    }
  })
}
onEveryEngine('a tool for reading', readsAlike, { MCP_SCRIPTS: 'on' })

/** The cookie of a new session of the admin. */
async function cookieOf({ admin, app, dependencies }: World): Promise<string> {
  const { email } = await admin.account()
  const response = await app.fetch(
    requestOf(api.accounts.signIn, { email, password: 'admin has a password' }, dependencies.config),
  )
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

onEveryEngine('a page', (it) => {
  it('reads what REST answers, to an anonymous reader and to an admin in a session', async (world) => {
    const inputOf = await furnish(world)
    await world.app.sequenceLog()
    const cookie = await cookieOf(world)
    // Two reads of one moment.
    world.clock.stop()
    const [anonymous, signedIn] = [await pageCalls(world), await pageCalls(world, cookie)]
    const all = operations.filter(({ operation: { method, output } }) => method === 'GET' && !contentTypesOf(output))
    let read = 0
    for (const { name, operation } of all) {
      const input = inputOf(operation.path)
      const [slice = '', verb = ''] = name.split('.')
      for (const [client, sent] of [
        [anonymous, {}],
        [signedIn, { cookie }],
      ] as const) {
        const calls = client as unknown as Record<string, Record<string, (given: Input) => Promise<unknown>>>
        const request = requestOf(operation, input, { baseUrl: world.dependencies.config.baseUrl, headers: sent })
        const response = await world.app.fetch(request)
        const expected: unknown = await response.json()
        const answer = await calls[slice]![verb]!(input).catch((error: { status: number; body: unknown }) => error)
        if (!response.ok) {
          assert.deepEqual(
            [(answer as { status: number }).status, (answer as { body: unknown }).body],
            [response.status, expected],
            name,
          )
          continue
        }
        read++
        assert.deepEqual(JSON.parse(JSON.stringify(answer)), expected, name)
      }
    }
    assert.ok(read > 100, `${read} answers`)
  })
})

onEveryEngine('a tool that is refused', (it) => {
  it('says it in the words of REST', async ({ app, alice, ...world }) => {
    const token = await tokenOf({ ...world, app, alice }, alice)
    const refused = await callTool(app, 'create_bug', { title: '' }, { token })
    const byRest = await alice.request('/api/community/bugs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: '' }),
    })
    assert.equal(byRest.status, 400)
    assert.equal(refused.isError, true)
    assert.equal(refused.content[0]!.text, ((await byRest.json()) as { error: string }).error)
  })

  it('takes a file without a name and without bytes for none, as REST does', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice)
    const input = { kind: 'workflow', file: { filename: '', content: '' } }
    const refused = await callTool(app, 'publish_library_item', input, { token })
    const byRest = await alice.library
      .publish({ kind: 'workflow', file: new File([], '') })
      .catch(({ message }: Error) => message)
    assert.equal(refused.content[0]!.text, byRest)
    assert.match(String(byRest), /^file: a file is required/)
  })
})
