import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('a username', (it) => {
  it('is chosen once signed in, may change, and shows in who I am', async ({ alice }) => {
    const { id } = await alice.account()
    assert.deepEqual(await alice.profile.me(), { id, username: null, name: 'alice', avatarUrl: null })
    assert.deepEqual(await alice.profile.setUsername({ username: ' Alice_1 ' }), { username: 'Alice_1' })
    assert.deepEqual(await alice.profile.setUsername({ username: 'ALICE_1' }), { username: 'ALICE_1' })
    assert.equal((await alice.profile.me()).username, 'ALICE_1')
  })

  it('is unique without regard to case, and 400 when taken or reserved', async ({ alice, bob }) => {
    await alice.profile.setUsername({ username: 'carpenter' })
    for (const username of ['carpenter', 'Carpenter', 'admin', 'API', 'Support']) {
      await assert.rejects(bob.profile.setUsername({ username }), {
        status: 400,
        message: 'username: is taken; choose another',
      })
    }
  })

  it('has 3-24 letters, digits, underscores and hyphens', async ({ alice }) => {
    for (const username of ['abc', 'a'.repeat(24), '-_9'])
      assert.deepEqual(await alice.profile.setUsername({ username }), { username })
    for (const username of ['ab', 'a'.repeat(25), 'a b c', 'ünder', 'a.b', '']) {
      await assert.rejects(alice.profile.setUsername({ username }), { status: 400, message: /^username: / })
    }
  })

  it('goes to one of many who want it at once', async (world) => {
    const people = Array.from({ length: 6 }, (_, index) => world.person(`p${index}`))
    await Promise.all(people.map((person) => person.account()))
    const results = await Promise.allSettled(people.map((person) => person.profile.setUsername({ username: 'wanted' })))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  })
})
