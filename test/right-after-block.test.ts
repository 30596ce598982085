// Right after a block, before anything is done in the background: every operation with a thing in its path answers as it does afterwards.
// Derived from the contracts: a new operation is covered by existing.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { exampleOf } from '../src/surfaces/openapi/examples.ts'
import { workflowFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ slice, name: `${slice}.${verb}`, operation })),
)

type Ids = Record<string, string>

/** Bob writes one of everything, with something of Alice on each. */
async function write({ alice, bob }: World): Promise<Ids> {
  await bob.profile.setUsername({ username: 'bob-r' })
  const bug = await bob.bugs.create({ title: 'Bug', description: 'D', severity: 'low' })
  const feature = await bob.features.create({ title: 'Feature', description: 'D' })
  const post = await bob.posts.create({ title: 'Post', body: 'B' })
  const orgJson = JSON.stringify({ name: 'Desk', goal: 'Goal.', roles: [{ id: 'solo' }] })
  const org = await bob.orgs.create({ orgJson })
  const run = await alice.orgRuns.add({ id: org.id, files: [new File(['# Hi'], 'a.md')] }).catch(() => undefined)
  const own = await bob.orgRuns.add({ id: org.id, files: [new File(['# Hi'], 'a.md')] })
  const item = await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
  const comment = await bob.bugs.comment({ id: bug.id, body: 'Mine' })
  await alice.bugs.comment({ id: bug.id, body: 'On it' })
  await bob.bugs.edit({ id: bug.id, title: 'Bug, edited' })
  return {
    ...{ bug: bug.id, feature: feature.id, post: post.id, org: org.id, item: item.id, comment: comment.id },
    ...{ run: (run ?? own).id, ownRun: own.id, slug: item.slug, number: String(bug.number) },
  }
}

/** The inputs that name something of Bob, for each operation whose path does. */
function targetsOf(slice: string, { path, input }: Operation, ids: Ids): Record<string, string>[] {
  const has = (name: string) => Object.hasOwn(input.shape, name)
  const community = { bugs: 'bug', features: 'feature', posts: 'post', orgs: 'org', comments: 'comment' } as const
  if (!path.includes('{')) return []
  const named = community[slice as keyof typeof community]
  if (named) return [{ id: ids[named]!, commentId: ids['comment']! }]
  if (slice === 'orgRuns') return [{ id: ids['org']!, runId: ids['ownRun']! }]
  if (slice === 'orgImages') return [{ id: ids['org']! }]
  if (slice === 'follows') return ['bug', 'feature', 'post', 'org', 'item'].map((kind) => ({ id: ids[kind]! }))
  if (slice === 'references' || has('number')) return [{ number: ids['number']! }]
  if (path.startsWith('/api/library/items/{id}') || path.startsWith('/library/items/{id}'))
    return [{ id: ids['item']! }]
  if (has('kind') && has('slug')) return [{ kind: 'workflow', slug: ids['slug']!, version: '1.0.0' }]
  return slice === 'library' && has('id') ? [{ id: ids['item']! }] : []
}

async function statusOf(person: Person, operation: Operation, target: Record<string, string>): Promise<number> {
  const body = exampleOf(operation.deferredBody ?? operation.input, 'input') as Record<string, unknown>
  const inPath = exampleOf(operation.input, 'input') as Record<string, unknown>
  const known = Object.fromEntries(
    Object.entries(target).filter(([name]) => Object.hasOwn(operation.input.shape, name)),
  )
  const request = requestOf(operation, { ...inPath, ...body, ...known }, { baseUrl: BASE_URL })
  const { pathname, search } = new URL(request.url)
  const type = request.headers.get('content-type')
  const sent = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  const headers = { ...(type && { 'Content-Type': type }), ...(sent && { 'Content-Length': String(sent.length) }) }
  const answer = await person.request(pathname + search, {
    method: operation.method,
    headers,
    ...(sent && { body: sent }),
  })
  await answer.body?.cancel()
  return answer.status
}

onEveryEngine('Right after a block', (it) => {
  it('every operation on a thing of the account answers as it will, and none does anything', async (world) => {
    const { alice, bob, moderator, app } = world
    const ids = await write(world)
    await alice.follows.set({ id: ids['post']!, state: 'following' })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    const askAll = async () => {
      const answers: string[] = []
      for (const { slice, name, operation } of operations) {
        if (operation.access.roles && !operation.access.roles.includes('member')) continue
        for (const target of targetsOf(slice, operation, ids)) {
          answers.push(`${name} ${await statusOf(alice, operation, target)}`)
        }
      }
      for (const targetType of ['bug', 'feature', 'post', 'org', 'item', 'comment'] as const) {
        const report = alice.reports.create({ targetType, targetId: ids[targetType]!, reason: 'spam' })
        answers.push(
          `report ${targetType} ${await report.then(
            () => 200,
            ({ status }: { status: number }) => status,
          )}`,
        )
      }
      return answers
    }
    const before = await askAll()
    await app.deliver()
    assert.deepEqual(before, await askAll())
    assert.ok(before.length > 60, `${before.length} operations`)
    const done = before.filter((answer) => / [25]\d\d$/.test(answer))
    assert.deepEqual(done, [], 'a thing that nobody sees was read or changed')
  })

  it('inboxes and pictures have nothing of the account, nor of what was hidden or deleted', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const own = await alice.posts.create({ title: 'Mine', body: 'B' })
    const secret = await bob.posts.comment({ id: own.id, body: 'A secret excerpt' })
    const other = await world.person('carol').posts.comment({ id: own.id, body: 'Another excerpt' })
    const { image } = await bob.textImages
      .add({ image: new File([await (await tinyPng()).arrayBuffer()], 'a.png') })
      .then(({ url }) => ({ image: url }))
    await bob.posts.create({ title: 'With a picture', body: `![a](${image})` })
    await app.deliver()
    const excerpts = async () => (await alice.notifications.list({})).items.map(({ excerpt }) => excerpt)
    assert.deepEqual((await excerpts()).sort(), ['A secret excerpt', 'Another excerpt'])
    assert.equal((await anonymous.request(image)).status, 200)
    await moderator.posts.deleteComment({ id: own.id, commentId: other.id, reason: 'spam' })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual(await excerpts(), [])
    assert.equal((await anonymous.request(image)).status, 404)
    await moderator.admin.block({ id: (await bob.account()).id, blocked: false })
    await assert.rejects(anonymous.comments.get({ id: other.id }), { status: 404 })
    assert.ok(secret.id)
  })
})
