// What is sent while an org is being removed ends either before it, and goes with it, or after it, and is refused.
import assert from 'node:assert/strict'
import { tinyPng } from '../../../test/pictures.ts'
import { filesOnDisk } from '../../../test/stored.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
const report = () => new File(['# Report'], 'report.md')

/** Rows and files that point to an org which is not there. */
async function orphans({ db, ...world }: World): Promise<string[]> {
  const rows = await Promise.all([
    db.selectFrom('vote').select('targetId as of').execute(),
    db.selectFrom('comment').select('targetId as of').execute(),
    db.selectFrom('feedEntry').select('id as of').execute(),
    db.selectFrom('searchText').select('id as of').where('type', '=', 'org').execute(),
    db.selectFrom('orgRun').select('orgId as of').execute(),
    db.selectFrom('orgRunFile').select('id as of').execute(),
    db.selectFrom('orgImage').select('orgId as of').execute(),
    db.selectFrom('slug').select('targetId as of').execute(),
  ])
  const files = (await filesOnDisk({ ...world, db } as World)).filter((path) => !path.startsWith('artifacts/'))
  return [...rows.flat().map(({ of }) => of), ...files]
}

/** Only "not found" may come of sending to what is being removed. */
async function settled(work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') assert.equal(result.reason.status, 404, String(result.reason))
  }
}

onEveryEngine('an org that is removed', (it) => {
  it('leaves nothing of what is sent at the same time', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    await Promise.all([alice, bob, moderator].map((person) => person.account()))
    for (let round = 0; round < 4; round++) {
      const { id } = await alice.orgs.create({ orgJson })
      const before = await bob.orgRuns.add({ id, files: [report()] })
      const late = Array.from({ length: 3 }, (_, index) => [
        alice.orgs.vote({ id, value: 1 }),
        bob.orgs.vote({ id, value: -1 }),
        bob.orgs.comment({ id, body: `Comment ${index}` }),
        bob.orgRuns.add({ id, files: [report(), report()] }),
        alice.orgs.update({ id, tagline: `Tagline ${index}` }),
      ]).flat()
      await settled([
        ...late.slice(0, round * 3),
        alice.orgs.delete({ id }),
        moderator.orgs.delete({ id }),
        bob.orgRuns.delete({ id, runId: before.id }),
        ...late.slice(round * 3),
      ])
      await assert.rejects(anonymous.orgs.get({ id }), { status: 404 })
      assert.deepEqual(await orphans(world), [])
    }
    assert.equal((await anonymous.orgs.list({})).total, 0)
  })

  it('leaves no image of those that are being decoded', async (world) => {
    const { alice } = world
    await alice.account()
    const { id } = await alice.orgs.create({ orgJson })
    const image = await tinyPng()
    await alice.orgImages.add({ id, image })
    const adding = [1, 2, 3].map(() => alice.orgImages.add({ id, image }))
    await adding[0]
    await settled([alice.orgs.delete({ id }), ...adding])
    assert.deepEqual(await orphans(world), [])
  })

  it('is removed once, whoever asks', async ({ alice, moderator, anonymous }) => {
    await Promise.all([alice.account(), moderator.account()])
    const { id } = await alice.orgs.create({ orgJson })
    const results = await Promise.allSettled(
      [alice, moderator, alice, moderator].map((person) => person.orgs.delete({ id })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await anonymous.orgs.list({})).total, 0)
  })

  it('has a score, comments and runs that are counted right under any concurrency', async ({
    alice,
    person,
    anonymous,
  }) => {
    const { id } = await alice.orgs.create({ orgJson })
    const people = ['p1', 'p2', 'p3', 'p4'].map(person)
    await Promise.all(people.map((one) => one.account()))
    const values = [1, -1, 0, 1] as const
    await Promise.all(people.flatMap((one) => values.map((value) => one.orgs.vote({ id, value }))))
    await Promise.all(people.map((one) => one.orgs.vote({ id, value: 1 })))
    await Promise.all(people.map((one) => one.orgs.comment({ id, body: 'Fine' })))
    await Promise.all(people.map((one) => one.orgRuns.add({ id, files: [report()] })))
    const { score, commentCount, runCount } = await anonymous.orgs.get({ id })
    assert.deepEqual([score, commentCount, runCount], [4, 4, 4])
    assert.equal((await anonymous.feed.list({})).items[0]!.score, 4)
  })
})
