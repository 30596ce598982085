// A version that closes bugs about its item, through the front door, on both engines.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { FORBIDDEN, publish, shared } from '../../../test/owners.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const report = (by: Person, item: string, title: string = crash.title) =>
  by.bugs.create({ ...crash, title, about: { item, version: '1.0.0' } })

const release = (by: Person, id: string, closes: string | readonly number[]) =>
  by.library.publishVersion({ id, file: workflowFile({ name: 'Digest' }), closes: String(closes) })

async function told({ app }: World, person: Person) {
  await app.deliver()
  const { items } = await person.notifications.list({ after: '0' })
  return items
    .filter(({ type }) => type === 'release')
    .map(({ target, status, release: by }) => `${target.title} ${status?.to} ${by?.url}`)
}

async function hide({ person, moderator }: World, type: 'item' | 'bug', targetId: string) {
  await person('reporter').reports.create({ targetType: type, targetId, reason: 'spam' })
  const { items } = await moderator.moderation.cases({})
  await moderator.moderation.decide({ id: String(items[0]?.id), action: 'hide', rule: 'spam', reason: 'Wait' })
}

onEveryEngine('a version', (it) => {
  it('closes bugs about its item, says so in their history and tells those who follow', async (world) => {
    const { alice, bob, anonymous, moderator } = world
    const { item } = await shared(world)
    const [one, two] = [await report(moderator, item.id), await report(moderator, item.id, 'Slow')]
    await anonymous.bugs.get({ id: one.id })
    // A maintainer does it as an owner does.
    const made = await release(bob, item.id, `#${one.number}, ${two.number}`)
    assert.equal(made.version, '1.0.1')
    for (const { id } of [one, two]) {
      const { status } = await anonymous.bugs.get({ id })
      assert.equal(status, 'resolved')
      const [change] = (await anonymous.bugs.statusChanges({ id })).items
      assert.deepEqual(
        [change?.from, change?.to, change?.reason, change?.actorUsername],
        ['open', 'resolved', `Released with workflow/${item.slug}@1.0.1`, 'bobby'],
      )
    }
    const url = `/library/workflows/${item.slug}/versions/1.0.1`
    assert.deepEqual((await told(world, moderator)).sort(), [`Crash resolved ${url}`, `Slow resolved ${url}`])
    assert.deepEqual(await told(world, alice), [])
    assert.equal((await world.db.selectFrom('versionCloses').select('id').execute()).length, 0)
    await assertSound(world)
  })

  it('closes nothing else, and what it names wrongly publishes nothing', async (world) => {
    const { alice, bob, moderator, admin } = world
    const { item } = await shared(world)
    const other = await publish(alice, 'public', 'Other')
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    const wrong = [
      await report(bob, other.id),
      await bob.bugs.create(crash),
      await bob.features.create({ title: 'Wish', description: 'Please', about: { item: item.id, version: '1.0.0' } }),
      await bob.posts.create({ title: 'Post', body: 'Text' }),
      await moderator.bugs.create({ ...crash, board: 'staff', about: { item: item.id, version: '1.0.0' } }),
      { number: 9_999 },
    ]
    for (const { number } of wrong)
      await assert.rejects(release(alice, item.id, [number]), {
        status: 400,
        body: { error: { code: 'invalid_request', message: `closes: #${number} is no bug about this item` } },
      })
    const fine = await report(bob, item.id)
    await assert.rejects(release(alice, item.id, [fine.number, 9_999]), { status: 400 })
    for (const closes of ['x', '-1', '1;2']) await assert.rejects(release(alice, item.id, closes), { status: 400 })
    await assert.rejects(release(moderator, item.id, [fine.number]), FORBIDDEN)
    assert.equal((await alice.bugs.get({ id: fine.id })).status, 'open')
    assert.equal((await alice.library.get({ id: item.id })).version, '1.0.0')
    const hidden = await report(bob, item.id)
    await hide(world, 'bug', hidden.id)
    await assert.rejects(release(alice, item.id, [hidden.number]), { status: 400 })
  })

  it('leaves what moderators decided, and closes at most 50', async (world) => {
    const { alice, bob, moderator } = world
    const { item } = await shared(world)
    const bug = await report(bob, item.id)
    await moderator.bugs.triage({ id: bug.id, status: 'wontfix' })
    await release(alice, item.id, [bug.number])
    assert.equal((await alice.bugs.get({ id: bug.id })).status, 'wontfix')
    assert.deepEqual(await told(world, bob), [])
    const many = Array.from({ length: 51 }, (_, n) => n + 1_000)
    await assert.rejects(release(alice, item.id, many), (error: { message: string }) =>
      error.message.includes('at most 50'),
    )
    await assert.rejects(release(alice, item.id, many.slice(1)), (error: { message: string }) =>
      error.message.includes('is no bug about'),
    )
  })

  it('does not name an item that not everybody sees', async (world) => {
    const { alice, bob, anonymous } = world
    const { item } = await shared(world, 'private')
    const { id, number } = await report(bob, item.id)
    await release(alice, item.id, [number])
    const [change] = (await anonymous.bugs.statusChanges({ id })).items
    assert.deepEqual([change?.to, change?.reason], ['resolved', 'Released'])
    assert.deepEqual(await told(world, bob), ['Crash resolved undefined'])
  })

  it('closes each once, also where two versions name it at once', async (world) => {
    const { alice, bob } = world
    const { item } = await shared(world)
    const { id, number } = await report(bob, item.id)
    await Promise.allSettled([release(alice, item.id, [number]), release(bob, item.id, [number])])
    assert.equal((await bob.bugs.statusChanges({ id })).total, 1)
    await assertSound(world)
  })
})
