// A tool is the operation under another name: what it answers is what REST answers to the same caller, field by field.
// Derived: every operation for reading that tools offer is asked, with something in the world to answer about.
import assert from 'node:assert/strict'
import { api } from '../../src/api.ts'
import { contentTypesOf } from '../../src/contract/files.ts'
import { type Operation, pathNames } from '../../src/contract/operation.ts'
import { requestOf } from '../../src/surfaces/client/client.ts'
import { org, workflowFile } from '../library.ts'
import { onEveryEngine, type World } from '../world.ts'
import { eras, tokenOf, useTool } from './speaking.ts'

type Input = Record<string, unknown>

const operations = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([verb, operation]) => ({
    name: `${slice}.${verb}`,
    operation,
  })),
)

/** Everything for reading that has an answer in JSON and takes a token or nothing. */
const reads = operations.filter(
  ({ operation: { method, access, output } }) =>
    method === 'GET' && access.credential !== 'session' && !contentTypesOf(output),
)

/** A world with one of everything, and what its names in paths stand for, by the beginning of the path. */
async function furnish(world: World): Promise<(path: string) => Input> {
  const { alice, bob, moderator } = world
  const bug = await alice.bugs.create({ title: 'Crash', description: 'It stops on start', severity: 'high' })
  await bob.bugs.comment({ id: bug.id, body: 'Here too' })
  await bob.bugs.vote({ id: bug.id, value: 1 })
  const label = await moderator.labels.create({ name: 'start', color: '#b4552d' })
  const feature = await alice.features.create({ title: 'Dark mode', description: 'At night' })
  const post = await alice.posts.create({ title: 'Hello', body: 'World' })
  const gallery = await alice.orgs.create({ orgJson: JSON.stringify(org) })
  const files = [new File(['# Result'], 'result.md')]
  const run = await alice.orgRuns.add({ id: gallery.id, label: 'first', files })
  const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  await alice.profile.setUsername({ username: 'alice' })
  const blog = (await alice.blog.list()).items[0]!
  const named: [string, Input][] = [
    ['/community/bugs/', { id: bug.id }],
    ['/community/labels/', { id: label.id }],
    ['/community/features/', { id: feature.id }],
    ['/community/posts/', { id: post.id }],
    ['/community/orgs/', { id: gallery.id, runId: run.id }],
    ['/community/blog/', { slug: blog.slug }],
    ['/community/users/', { username: 'alice' }],
    ['/community/library/', { id: item.id }],
    ['/library/items/', { id: item.id, kind: 'workflow', slug: item.slug }],
  ]
  return (path) => {
    const known = named.find(([beginning]) => path.startsWith(beginning))?.[1] ?? {}
    return Object.fromEntries(pathNames(path).map((name) => [name, known[name]]))
  }
}

async function restAnswer(world: World, operation: Operation, { input, token }: { input: Input; token?: string }) {
  const { app, ground } = world
  const request = requestOf(operation, input, { baseUrl: ground.config.baseUrl })
  if (token) request.headers.set('Authorization', `Bearer ${token}`)
  const response = await app.fetch(request)
  const text = await response.text()
  assert.ok(response.ok, `${operation.path}: ${text}`)
  return JSON.parse(text) as unknown
}

onEveryEngine('a tool for reading', (it) => {
  it('answers what REST answers, to a stranger and to an admin with a token, in both eras', async (world) => {
    const inputOf = await furnish(world)
    const token = await tokenOf(world, world.admin)
    assert.ok(reads.length > 20)
    for (const { name, operation } of reads) {
      const input = inputOf(operation.path)
      const callers = operation.access.credential === 'required' ? [{ token }] : [{}, { token }]
      for (const caller of callers) {
        const expected = await restAnswer(world, operation, { input, ...caller })
        for (const era of eras) {
          const result = await useTool(world, 'call_operation', { input: { name, input }, era, ...caller })
          assert.equal(result.isError, undefined, `${name}: ${result.content[0]?.text}`)
          const text = JSON.parse(result.content[0]!.text!) as unknown
          assert.deepEqual(text, expected, `${name} as text`)
          // A null is no structure in either era, and is there as text alone.
          assert.deepEqual(result.structuredContent, expected ?? undefined, `${name} as structure`)
        }
      }
    }
  })

  it('answers the same under its own name', async (world) => {
    const inputOf = await furnish(world)
    const token = await tokenOf(world, world.alice)
    const named: [string, string, string][] = [
      ['get_feed', 'feed.list', ''],
      ['list_bugs', 'bugs.list', ''],
      ['get_bug', 'bugs.get', '/community/bugs/{id}'],
      ['list_features', 'features.list', ''],
      ['list_posts', 'posts.list', ''],
      ['list_orgs', 'orgs.list', ''],
      ['get_org', 'orgs.get', '/community/orgs/{id}'],
      ['list_library_items', 'library.list', ''],
      ['get_library_item', 'library.get', '/library/items/{id}'],
      ['get_library_item', 'library.find', '/library/items/{kind}/{slug}'],
      ['get_me', 'library.me', ''],
    ]
    for (const [tool, name, path] of named) {
      const { operation } = operations.find((one) => one.name === name)!
      const input = inputOf(path)
      const expected = await restAnswer(world, operation, { input, token })
      const { structuredContent } = await useTool(world, tool, { input, token })
      assert.deepEqual(structuredContent, expected, tool)
    }
  })
})

onEveryEngine('a tool for writing', (it) => {
  it('does what REST does: what it answers is what is read back, and its refusal has the words of REST', async (world) => {
    const token = await tokenOf(world, world.alice)
    const use = async (tool: string, input: Input) => {
      const result = await useTool(world, tool, { input, token })
      assert.equal(result.isError, undefined, `${tool}: ${result.content[0]?.text}`)
      return result.structuredContent!
    }
    const read = async (path: string) => (await world.alice.request(`/api${path}`)).json() as Promise<Input>
    for (const [tool, path, input] of [
      ['create_bug', '/community/bugs', { title: 'Crash', description: 'It stops', severity: 'low' }],
      ['create_feature', '/community/features', { title: 'Dark mode', description: 'At night' }],
      ['create_post', '/community/posts', { title: 'Hello', body: 'World' }],
    ] as const) {
      const made = await use(tool, input)
      assert.deepEqual(pick(await read(`${path}/${made['id']}`), made), made, tool)
    }
    const bug = await use('create_bug', { title: 'Other', description: 'It hangs', severity: 'high' })
    const vote = await use('vote_bug', { id: bug['id'], value: 1 })
    assert.deepEqual(vote, { score: 1, myVote: 1 })
    const comment = await use('comment_bug', { id: bug['id'], body: 'Still there' })
    assert.deepEqual(((await read(`/community/bugs/${bug['id']}/comments`))['items'] as Input[])[0], comment)
    const made = await use('create_org', { orgJson: JSON.stringify(org) })
    const run = await use('run_org', { id: made['id'], files: [{ filename: 'out.md', content: '# Out' }] })
    assert.deepEqual(pick(await read(`/community/orgs/${made['id']}/runs/${run['id']}`), run), run)
    const file = { filename: 'workflow.json', content: await workflowFile().text() }
    const item = await use('publish_library_item', { kind: 'workflow', visibility: 'public', file })
    assert.deepEqual(await read(`/library/items/${item['id']}`), item)

    const refused = await useTool(world, 'create_bug', { input: { title: '' }, token })
    const byRest = await world.alice.request('/api/community/bugs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: '' }),
    })
    assert.equal(byRest.status, 400)
    assert.equal(refused.isError, true)
    assert.equal(refused.content[0]!.text, ((await byRest.json()) as { error: string }).error)
  })
})

const pick = (from: Input, like: Input) => Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]))
