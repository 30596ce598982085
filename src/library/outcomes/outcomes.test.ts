// Reports of whether a version worked, through the front door, on both engines.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { workflowFile } from '../../../test/library.ts'
import { FORBIDDEN, NOT_FOUND, newVersion, publish, shared } from '../../../test/owners.ts'
import { type Visitor, visit } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { COUNTED_DAYS, MIN_ACCOUNTS, REPORTABLE_DAYS } from '../outcome-figures/rules.ts'
import { checkOutcomes } from './counting.ts'

const DAY = 86_400
type Reporter = Person | Visitor
type Report = Parameters<Person['library']['report']>[0]

/** Downloads a version and reports on it. */
async function report(by: Reporter, id: string, { version = '1.0.0', ...given }: Partial<Report> = {}) {
  const file = await by.library.download({ id, version })
  await file.arrayBuffer()
  return by.library.report({ item: id, version, outcome: 'worked', ...given })
}

/** Accounts with a network each. */
async function reporters(world: World, count: number, name = 'reporter') {
  const all: Visitor[] = []
  for (let n = 0; n < count; n++)
    all.push(await visit(world, `${name}${n}`, { address: `20.1.${n}.1`, verified: true }))
  return all
}

const figuresOf = async ({ app }: World, by: Reporter, id: string) => {
  await app.countOutcomes()
  return (await by.library.get({ id })).outcomes
}

async function sound({ db, app }: World) {
  await app.countOutcomes()
  const problems: string[] = []
  await checkOutcomes(db, (sentence) => problems.push(sentence))
  assert.deepEqual(problems, [])
}

onEveryEngine('a report of whether a version worked', (it) => {
  it(`shows in the figures of the version from ${MIN_ACCOUNTS} accounts on`, async (world) => {
    const { alice, anonymous } = world
    const { id, slug } = await publish(alice)
    const [last, ...first] = await reporters(world, MIN_ACCOUNTS)
    for (const by of first) await report(by, id)
    assert.equal(await figuresOf(world, anonymous, id), undefined)
    assert.equal(await figuresOf(world, alice, id), undefined, 'nor to its owner')
    await report(last!, id, { item: `workflows/${slug}`, outcome: 'failed', error: 'timeout' })
    const figures = await figuresOf(world, anonymous, id)
    assert.deepEqual(figures, { worked: 4, failed: 1, rate: 0.8, lower_bound: figures?.lower_bound, errors: [] })
    assert.ok(figures && figures.lower_bound > 0 && figures.lower_bound < 0.8)
    const { versions } = await anonymous.library.versions({ id })
    assert.deepEqual(versions[0]?.outcomes, figures)
    assert.deepEqual((await anonymous.library.version({ id, version: '1.0.0' })).outcomes, figures)
    assert.deepEqual((await anonymous.library.list({})).items[0]?.outcomes, figures)
    await newVersion(alice, id, '1.0.1')
    assert.equal((await anonymous.library.get({ id })).outcomes, undefined, 'the new version has none')
    assert.deepEqual((await anonymous.library.versions({ id })).versions[1]?.outcomes, figures)
    await sound(world)
  })

  it('takes the place of that of the same account, version and day', async (world) => {
    const { alice, bob, clock, db } = world
    const { id } = await publish(alice)
    assert.deepEqual((await report(bob, id)).replaced, false)
    assert.deepEqual((await report(bob, id, { outcome: 'failed', error: 'crash' })).replaced, true)
    const rows = () => db.selectFrom('outcome').select(['outcome', 'error']).orderBy('day').execute()
    assert.deepEqual(await rows(), [{ outcome: 'failed', error: 'crash' }])
    await report(bob, id, { error: 'crash' })
    assert.deepEqual(await rows(), [{ outcome: 'worked', error: null }], 'what worked has no error')
    clock.pass(DAY)
    assert.equal((await report(bob, id)).replaced, false)
    assert.equal((await rows()).length, 2)
    await sound(world)
  })

  it('is one, ten times at once', async (world) => {
    const { alice, bob, db } = world
    const { id } = await publish(alice)
    await (await bob.library.download({ id, version: '1.0.0' })).arrayBuffer()
    for (let turn = 0; turn < 10; turn++) {
      const all = ['worked', 'failed', 'worked', 'failed', 'worked'] as const
      const answers = await Promise.all(
        all.map((outcome) => bob.library.report({ item: id, version: '1.0.0', outcome })),
      )
      assert.equal(answers.filter(({ replaced }) => !replaced).length, 1)
      assert.equal((await db.selectFrom('outcome').select('id').execute()).length, 1)
      await sound(world)
      await db.deleteFrom('outcome').execute()
      await db.deleteFrom('versionOutcomes').execute()
    }
  })

  it('is counted with those that come at the same time, ten times', async (world) => {
    const { alice, anonymous, app } = world
    const { id } = await publish(alice)
    const all = await reporters(world, MIN_ACCOUNTS + 1)
    for (const by of all) await report(by, id)
    for (let turn = 0; turn < 10; turn++) {
      const outcome = turn % 2 === 0 ? 'failed' : 'worked'
      const calls = all.map((by) => by.library.report({ item: id, version: '1.0.0', outcome }))
      await Promise.all([...calls, app.countOutcomes()])
      const figures = await figuresOf(world, anonymous, id)
      assert.deepEqual([figures?.worked, figures?.failed], outcome === 'worked' ? [6, 0] : [0, 6])
    }
    await sound(world)
  })

  it(`is for accounts that downloaded the version in the last ${REPORTABLE_DAYS} days`, async (world) => {
    const { alice, bob, anonymous, clock } = world
    const { id } = await publish(alice)
    await newVersion(alice, id, '1.0.1')
    const send = (version: string) => bob.library.report({ item: id, version, outcome: 'worked' })
    await assert.rejects(send('1.0.0'), FORBIDDEN)
    await (await bob.library.download({ id, version: '1.0.1' })).arrayBuffer()
    await assert.rejects(send('1.0.0'), FORBIDDEN, 'another version')
    await (await bob.library.file({ kind: 'workflow', slug: 'digest', version: '1.0.0' })).arrayBuffer()
    assert.equal((await send('1.0.0')).version, '1.0.0')
    // The start of the day counts.
    clock.pass(REPORTABLE_DAYS * DAY)
    const again = await visit(world, 'again', { address: '20.2.1.1' })
    await assert.rejects(again.library.report({ item: id, version: '1.0.0', outcome: 'worked' }), FORBIDDEN)
    await assert.rejects(anonymous.library.report({ item: id, version: '1.0.0', outcome: 'worked' }), { status: 401 })
  })

  it('is refused a day later than that', async (world) => {
    const { alice, db, clock } = world
    const { id } = await publish(alice)
    const agent = await agentOf(world, world.bob)
    await (await agent.library.download({ id, version: '1.0.0' })).arrayBuffer()
    const send = () => agent.library.report({ item: id, version: '1.0.0', outcome: 'worked' })
    const move = (days: number) =>
      db
        .updateTable('versionDownloader')
        .set({ day: new Date(clock.now() - days * DAY * 1000).toISOString().slice(0, 10) })
        .execute()
    await move(REPORTABLE_DAYS)
    assert.equal((await send()).replaced, false)
    await move(REPORTABLE_DAYS + 1)
    await assert.rejects(send(), FORBIDDEN)
  })

  it('is not for those who publish the item, nor on what the caller does not see', async (world) => {
    const { alice, bob, moderator, anonymous, blocked } = world
    const { item, carol } = await shared(world)
    for (const by of [alice, bob, carol]) await assert.rejects(report(by, item.id), FORBIDDEN)
    const secret = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Secret' }) })
    const send = (by: Person, name: string, version = '1.0.0') =>
      by.library.report({ item: name, version, outcome: 'worked' })
    for (const name of [secret.id, 'workflow/secret', 'workflow/none', 'nonsense', 'a/b/c'])
      await assert.rejects(send(moderator, name), NOT_FOUND, name)
    await assert.rejects(send(moderator, item.id, '9.9.9'), NOT_FOUND)
    await assert.rejects(send(moderator, item.id, 'latest'), { status: 400 })
    await assert.rejects(send(anonymous, item.id), { status: 401 })
    await assert.rejects(send(blocked, item.id), { status: 403, code: 'blocked' })
    const reading = await agentOf(world, moderator, { scope: 'library:read community:write' })
    await assert.rejects(reading.library.report({ item: item.id, version: '1.0.0', outcome: 'worked' }), {
      status: 403,
      code: 'insufficient_scope',
    })
  })

  it('has fields of bounded length', async ({ alice, bob }) => {
    const { id } = await publish(alice)
    const full = { text: 'x'.repeat(500), client: 'c'.repeat(40), client_version: '1'.repeat(40) }
    await report(bob, id, { ...full, os: 'linux', arch: 'arm64', error: '' as never })
    for (const [field, text] of Object.entries(full)) {
      await assert.rejects(report(bob, id, { ...full, [field]: `${text}x` }), { status: 400 })
    }
    for (const wrong of [{ error: 'boom' }, { os: 'plan9' }, { arch: 'mips' }, { outcome: 'perhaps' }])
      await assert.rejects(report(bob, id, wrong as never), { status: 400 })
  })
})

onEveryEngine('what reporters wrote', (it) => {
  it('is for those who publish the item alone, without who', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { item, carol } = await shared(world)
    const [one, two, three] = await reporters(world, 3)
    await report(one!, item.id, { outcome: 'failed', error: 'timeout', text: 'It hangs', os: 'linux', client: 'cli' })
    await report(two!, item.id, { text: 'Fine' })
    await report(three!, item.id)
    const first = await alice.library.outcomeTexts({ id: item.id, per_page: 1 })
    const second = await bob.library.outcomeTexts({ id: item.id, per_page: 1, cursor: first.nextCursor! })
    assert.equal(second.nextCursor, null)
    const texts = [...first.items, ...second.items]
    assert.deepEqual(texts.map(({ text }) => text).toSorted(), ['Fine', 'It hangs'])
    const { day } = texts[0]!
    assert.deepEqual(
      texts.find(({ text }) => text === 'It hangs'),
      {
        ...{ version: '1.0.0', day, outcome: 'failed', error: 'timeout', os: 'linux', arch: null, client: 'cli' },
        ...{ client_version: null, text: 'It hangs' },
      },
    )
    assert.equal((await carol.library.outcomeTexts({ id: item.id })).items.length, 2)
    for (const by of [moderator, admin]) {
      await assert.rejects(by.library.outcomeTexts({ id: item.id }), FORBIDDEN)
    }
    await assert.rejects(anonymous.library.outcomeTexts({ id: item.id }), { status: 401 })
    const answers = JSON.stringify([texts, await anonymous.library.get({ id: item.id })])
    for (const { account } of [one!, two!, three!]) assert.ok(!answers.includes(account.id))
  })
})

onEveryEngine('the reports of an account', (it) => {
  it('do not count while it is blocked, and are gone when it is erased', async (world) => {
    const { alice, admin, anonymous, app, clock, db } = world
    const { id } = await publish(alice)
    const all = await reporters(world, MIN_ACCOUNTS + 1)
    for (const by of all) await report(by, id)
    const [first, second] = all
    await admin.admin.block({ id: first!.account.id, blocked: true })
    await app.deliver()
    assert.equal((await figuresOf(world, anonymous, id))?.worked, MIN_ACCOUNTS)
    await sound(world)
    await admin.admin.block({ id: first!.account.id, blocked: false })
    await app.deliver()
    assert.equal((await figuresOf(world, anonymous, id))?.worked, MIN_ACCOUNTS + 1)
    await second!.deletion.request({ content: 'anonymise' })
    clock.pass(15 * DAY)
    await app.work()
    assert.equal((await figuresOf(world, anonymous, id))?.worked, MIN_ACCOUNTS)
    const left = await db.selectFrom('outcome').select('id').where('accountId', '=', second!.account.id).execute()
    assert.deepEqual(left, [])
    await sound(world)
  })

  it(`count for ${COUNTED_DAYS} days, and go with their version`, async (world) => {
    const { alice, admin, anonymous, app, clock, db } = world
    const { id } = await publish(alice)
    await newVersion(alice, id, '1.0.1')
    for (const by of await reporters(world, MIN_ACCOUNTS)) await report(by, id, { version: '1.0.1' })
    assert.equal((await figuresOf(world, anonymous, id))?.worked, MIN_ACCOUNTS)
    await admin.library.deleteVersion({ id, version: '1.0.1', reason: 'Wrong' })
    assert.deepEqual(await db.selectFrom('outcome').select('id').execute(), [])
    await sound(world)
    const [late] = await reporters(world, 1, 'late')
    await report(late!, id)
    const count = async () => (await db.selectFrom('outcome').select('id').execute()).length
    clock.pass(COUNTED_DAYS * DAY)
    await app.cleanUp()
    assert.equal(await count(), 1)
    clock.pass(DAY)
    await app.cleanUp()
    assert.equal(await count(), 0)
    assert.deepEqual(await db.selectFrom('versionDownloader').select('key').execute(), [])
    await sound(world)
  })

  it('are found wrong where the figures are not theirs', async (world) => {
    const { alice, db, app } = world
    const { id } = await publish(alice)
    for (const by of await reporters(world, MIN_ACCOUNTS)) await report(by, id)
    await app.countOutcomes()
    await db.updateTable('versionOutcomes').set({ worked: 7 }).where('itemId', '=', id).execute()
    const problems: string[] = []
    await checkOutcomes(db, (sentence) => problems.push(sentence))
    assert.deepEqual(problems, [`The figures of version 1 of item ${id} are not those of its reports`])
  })
})

onEveryEngine('a version that works less often than the one before', (it) => {
  it('is a regression in the comparison of both', async (world) => {
    const { alice, anonymous } = world
    const { id } = await publish(alice)
    await newVersion(alice, id, '1.1.0')
    const all = await reporters(world, 40)
    world.clock.pass(90 * DAY)
    for (const by of all)
      await by.accounts.signIn({ email: by.account.email, password: `${by.account.name} has a password` })
    for (const [n, by] of all.entries()) {
      await report(by, id)
      if (n < MIN_ACCOUNTS - 1) await report(by, id, { version: '1.1.0', outcome: 'failed', error: 'start' })
    }
    await world.app.countOutcomes()
    const compare = async () => (await anonymous.library.compare({ id })).outcomes
    assert.deepEqual(
      [(await compare()).worse, (await compare()).from?.worked, (await compare()).to],
      [false, 40, undefined],
    )
    for (const by of all.slice(MIN_ACCOUNTS - 1, 20))
      await report(by, id, { version: '1.1.0', outcome: 'failed', error: 'start' })
    await world.app.countOutcomes()
    const { worse, to } = await compare()
    assert.deepEqual([worse, to?.failed, to?.errors], [true, 20, [{ error: 'start', reports: 20 }]])
  })
})
