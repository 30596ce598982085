// What the moderators of a board may do in it, and in no other one. Derived from the contracts: a new operation that is theirs is tried here.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { sampleOf } from '../../../test/samples.ts'
import { verify } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { api } from '../../api.ts'
import type { Contract, Operation } from '../../contract/operation.ts'

const OPERATIONS = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries<Operation>(contract)
    .filter(([, { access, input }]) => access.boardModerators && 'id' in input.shape)
    .map(([verb, operation]) => ({ slice, verb, name: `${slice}.${verb}`, operation })),
)
type Case = (typeof OPERATIONS)[number]

const types = { bugs: 'bug', features: 'feature', posts: 'post' } as const
type Slice = keyof typeof types

const call = (person: Person, slice: string, verb: string, input: object): Promise<unknown> =>
  (person as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>)[slice]![verb]!(input)

/** Alice moderates `labs` and `tools`, nobody else than moderators and admins does `other`. */
async function open(world: World) {
  const { admin, alice } = world
  await verify(world, await alice.account())
  await alice.teams.create({ slug: 'core', name: 'Core' })
  for (const slug of ['labs', 'tools']) await admin.boards.create({ slug, name: slug, moderators: 'teams: core' })
  await admin.boards.create({ slug: 'other', name: 'Other' })
  const label = await admin.labels.create({ name: 'mail', color: '#b4552d' })
  const { id: accountId } = await world.bob.account()
  return { labelId: label.id, accountId }
}

let made = 0
async function write(person: Person, slice: Slice, board: string): Promise<string> {
  made += 1
  const fields = { title: `T${made}`, ...(slice === 'posts' ? { body: 'B' } : { description: 'D' }), board }
  const { id } = (await call(person, slice, 'create', { ...fields, ...(slice === 'bugs' && { severity: 'low' }) })) as {
    id: string
  }
  return id
}

type Boards = Awaited<ReturnType<typeof open>>

/** A case on a new bug of a board, or an act on one, and what it takes to decide that. */
async function caseFor(world: World, { verb, operation }: Pick<Case, 'verb' | 'operation'>, board: string) {
  const { admin, alice, bob, moderator } = world
  const bugId = await write(bob, 'bugs', board)
  await admin.reports.create({ targetType: 'bug', targetId: bugId, reason: 'spam' })
  const { items } = await moderator.moderation.cases({ per_page: 100 })
  const { id: caseId } = items.find(({ target }) => target.id === bugId)!
  const sample = { ...sampleOf(operation.input), action: 'warn' } as Record<string, unknown>
  const names = Object.keys(operation.input.shape).filter(
    (name) => name in sample && !['cursor', 'page'].includes(name),
  )
  const inputOn = (id: string) => ({
    id,
    input: { ...Object.fromEntries(names.map((name) => [name, sample[name]])), id },
  })
  if (!['undo', 'decideAppeal'].includes(verb)) return inputOn(caseId)
  const judge = board === 'labs' ? alice : moderator
  const act = await judge.moderation.decide({ id: caseId, action: 'hide', rule: 'spam', reason: 'Spam' })
  if (verb === 'decideAppeal') await bob.moderation.appeal({ id: act.id, text: 'It is not' })
  return inputOn(act.id)
}

/** What an operation is called with on a thing of a board, once all that it takes is there. */
async function inputFor(
  world: World,
  { slice, verb, operation }: Case,
  { board, ids }: { board: string; ids: Boards },
) {
  if (slice === 'moderation') return caseFor(world, { verb, operation }, board)
  const { bob, admin, app } = world
  const kind = (slice in types ? slice : 'bugs') as Slice
  const id = await write(bob, kind, board)
  const fixed: Record<string, unknown> = { ...ids, id, account: ids.accountId, type: types[kind], confirm: true }
  if ('into' in operation.input.shape) fixed['into'] = await write(bob, kind, board)
  if ('board' in operation.input.shape) fixed['board'] = board === 'tools' ? 'labs' : 'tools'
  if (verb === 'detachLabel') await call(admin, slice, 'attachLabel', { id, labelId: ids.labelId })
  if (verb === 'unassign') await admin.threads.assign({ id, account: ids.accountId })
  if (verb === 'undoMerge') {
    await call(admin, slice, 'merge', { id, into: await write(bob, kind, board), confirm: true })
    await app.deliver()
  }
  const sample = sampleOf(operation.input)
  const names = Object.keys(operation.input.shape).filter((name) => name in sample || name in fixed)
  return { id, input: Object.fromEntries(names.map((name) => [name, fixed[name] ?? sample[name]])) }
}

onEveryEngine('a moderator of a board', (it) => {
  it('does there all that moderators do with a thing, and in no other board', async (world) => {
    const { alice, bob, moderator, app } = world
    const ids = await open(world)
    assert.ok(OPERATIONS.length >= 18, String(OPERATIONS.length))
    for (const one of OPERATIONS) {
      const { slice, verb, name } = one
      for (const board of ['other', 'main']) {
        const { input } = await inputFor(world, one, { board, ids })
        await assert.rejects(call(alice, slice, verb, input), { status: 403 }, `${name} in ${board}`)
        await assert.rejects(call(bob, slice, verb, input), { status: 403 }, `${name} by a member`)
      }
      const { input } = await inputFor(world, one, { board: 'labs', ids })
      await assert.rejects(
        call(alice, slice, verb, { ...input, id: ids.labelId }),
        { status: 403 },
        `${name} of nothing`,
      )
      await assert.rejects(call(bob, slice, verb, input), { status: 403 }, name)
      await call(alice, slice, verb, input).catch((error: Error) => assert.fail(`${name}: ${error.message}`))
      await app.deliver()
      const again = await inputFor(world, one, { board: 'labs', ids })
      await call(moderator, slice, verb, again.input).catch((error: Error) => assert.fail(`${name}: ${error.message}`))
    }
  })

  it('reaches no other board by a merge or a move', async (world) => {
    const { alice, bob, admin, app } = world
    await open(world)
    for (const slice of ['bugs', 'features', 'posts'] as const) {
      const [own, tool, other] = [
        await write(bob, slice, 'labs'),
        await write(bob, slice, 'tools'),
        await write(bob, slice, 'other'),
      ]
      const merge = (id: string, into: string) => call(alice, slice, 'merge', { id, into, confirm: true })
      await assert.rejects(merge(own, other), { status: 403 })
      await assert.rejects(merge(other, own), { status: 403 })
      await call(admin, slice, 'merge', { id: other, into: own, confirm: true })
      await app.deliver()
      await assert.rejects(call(alice, slice, 'undoMerge', { id: other }), { status: 403 }, 'it came of another board')
      await call(admin, slice, 'undoMerge', { id: other })
      await app.deliver()
      await merge(tool, own)
      await app.deliver()
      await call(alice, slice, 'undoMerge', { id: tool })
      await app.deliver()
      const type = types[slice]
      const move = (id: string, board: string) => alice.boards.move({ type, id, board, confirm: true })
      for (const board of ['other', 'main']) await assert.rejects(move(own, board), { status: 403 })
      await assert.rejects(move(other, 'labs'), { status: 403 })
      assert.equal((await move(tool, 'labs')).board, 'labs')
    }
  })

  it('is what the rules say now: a team that is left, or another rule, ends it', async (world) => {
    const { admin, alice, bob } = world
    await open(world)
    const id = await write(bob, 'bugs', 'labs')
    await alice.bugs.triage({ id, severity: 'high' })
    await admin.boards.update({ board: 'labs', moderators: 'none' })
    await assert.rejects(alice.bugs.triage({ id, severity: 'low' }), { status: 403 })
    assert.equal((await alice.bugs.get({ id })).can.triage, false)
  })

  it('marks solutions, and edits and removes what others say, also where it is locked', async (world) => {
    const { alice, bob } = world
    await open(world)
    const id = await write(bob, 'bugs', 'labs')
    const { id: commentId } = await bob.bugs.comment({ id, body: 'Restart' })
    await alice.threads.solve({ id, commentId })
    await alice.threads.lock({ id, locked: true })
    await assert.rejects(bob.bugs.comment({ id, body: 'More' }), { status: 403 })
    await alice.bugs.comment({ id, body: 'Closed' })
    await alice.comments.edit({ id: commentId, body: 'Restart it' })
    const { items } = await alice.bugs.comments({ id })
    assert.deepEqual(items[0]?.can, { edit: true, delete: true })
    assert.deepEqual((await alice.comments.get({ id: commentId })).can, { edit: true, delete: true })
    assert.deepEqual((await bob.bugs.comments({ id })).items[1]?.can, { edit: false, delete: false })
    await alice.comments.delete({ id: commentId })
    const elsewhere = await write(bob, 'bugs', 'other')
    const { id: kept } = await bob.bugs.comment({ id: elsewhere, body: 'Mine' })
    await assert.rejects(alice.comments.edit({ id: kept, body: 'Yours' }), { status: 403 })
    await assert.rejects(alice.comments.delete({ id: kept }), { status: 403 })
    await assert.rejects(alice.threads.solve({ id: elsewhere, commentId: kept }), { status: 403 })
  })

  it('decides what agents suggest of the things of the board, also of a closed one', async (world) => {
    const { admin, alice, bob } = world
    await open(world)
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'teams: core', moderators: 'teams: core' })
    const agent = await agentOf(world, alice)
    const suggest = (id: string) =>
      agent.suggestions.create({
        operation: 'bugs.triage',
        input: { id, severity: 'high' },
        reason: 'R',
        confidence: 1,
      })
    const inside = await write(alice, 'bugs', 'staff')
    const [own, other, closed] = [
      await suggest(await write(bob, 'bugs', 'labs')),
      await suggest(await write(bob, 'bugs', 'other')),
      await suggest(inside),
    ]
    const listed = (await alice.suggestions.list({})).items
    assert.deepEqual(new Map(listed.map(({ id, can }) => [id, can.decide])).get(own.id), true)
    assert.deepEqual(new Map(listed.map(({ id, can }) => [id, can.decide])).get(other.id), false)
    assert.ok(!(await bob.suggestions.list({})).items.some(({ id }) => id === closed.id))
    await assert.rejects(bob.suggestions.create({ ...why, input: { id: inside, severity: 'low' } }), { status: 404 })
    const { items } = await alice.suggestions.accept({ ids: [own.id, other.id, closed.id] })
    assert.deepEqual(
      items.map(({ state, error }) => [state, error]),
      [
        ['accepted', null],
        ['waiting', 'Forbidden'],
        ['accepted', null],
      ],
    )
  })
})

const why = { operation: 'bugs.triage', reason: 'R', confidence: 1 }
