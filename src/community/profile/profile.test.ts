// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

const nothing = {
  tagline: null,
  jobTitle: null,
  company: null,
  tags: [],
  githubUrl: null,
  twitterUrl: null,
  linkedinUrl: null,
  websiteUrl: null,
}

onEveryEngine('a profile', (it) => {
  it('is replaced as a whole', async ({ alice, anonymous }) => {
    assert.deepEqual(await alice.profile.get(), { name: 'alice', ...nothing })
    const full = {
      name: 'Alice A.',
      tagline: 'Makes things',
      jobTitle: 'Engineer',
      company: 'Her own',
      tags: ['agents', 'ui_2', 'a-b'],
      githubUrl: 'https://github.com/alice',
      twitterUrl: 'https://x.com/alice',
      linkedinUrl: 'https://de.linkedin.com/in/alice',
      websiteUrl: 'https://alice.example/',
    }
    assert.deepEqual(await alice.profile.update({ ...full, name: '  Alice A. ' }), full)
    assert.deepEqual(await alice.profile.get(), full)
    assert.equal((await alice.profile.me()).name, 'Alice A.')
    const emptied = { name: 'Alice', tagline: ' ', jobTitle: null, githubUrl: '', tags: null }
    assert.deepEqual(await alice.profile.update(emptied), { name: 'Alice', ...nothing })
    assert.deepEqual(await alice.profile.get(), { name: 'Alice', ...nothing })
    await assert.rejects(alice.profile.update({ tagline: 'No name' } as never), { status: 400 })
    await assert.rejects(anonymous.profile.update({ name: 'Nobody' }), { status: 401 })
    await assert.rejects(anonymous.profile.get(), { status: 401 })
  })

  it('holds every field to its length', async ({ alice }) => {
    const x = (count: number) => 'x'.repeat(count)
    const website = (count: number) => `https://a.example/${x(count - 18)}`
    const fits = {
      name: x(100),
      tagline: x(140),
      jobTitle: x(80),
      company: x(80),
      tags: Array.from({ length: 10 }, (_, n) => `${n}${x(23)}`),
      websiteUrl: website(500),
    }
    assert.deepEqual(await alice.profile.update(fits), { ...nothing, ...fits })
    for (const wrong of [
      { name: x(101) },
      { name: '' },
      { tagline: x(141) },
      { jobTitle: x(81) },
      { company: x(81) },
      { tags: Array.from({ length: 11 }, (_, n) => `tag${n}`) },
      { tags: [x(25)] },
      { tags: [''] },
      { tags: ['two words'] },
      { tags: 'one,two' },
      { websiteUrl: website(501) },
    ]) {
      await assert.rejects(alice.profile.update({ name: 'Alice', ...wrong } as never), { status: 400 })
    }
  })

  it('takes addresses of the right hosts only, by https', async ({ alice }) => {
    const good = {
      githubUrl: ['https://github.com/a', 'https://GITHUB.com/a', 'https://gist.github.com/a'],
      twitterUrl: ['https://twitter.com/a', 'https://x.com/a', 'https://mobile.twitter.com/a', 'https://www.x.com/a'],
      linkedinUrl: ['https://linkedin.com/in/a', 'https://www.linkedin.com/in/a'],
      websiteUrl: ['https://a.example', 'https://github.com.evil.example/a?b#c'],
    }
    const bad = {
      githubUrl: [
        'http://github.com/a',
        'https://github.com.evil.example/',
        'https://notgithub.com/a',
        'https://github.com@evil.example/',
        'https://a@github.com/',
        'https://evil.example\\@github.com/',
        'https:github.com/a',
        'https://git hub.com/a',
        'github.com/a',
        'javascript:alert(1)//https://github.com',
      ],
      twitterUrl: ['https://netflix.com/', 'https://x.com.evil.example/', 'http://x.com/a'],
      linkedinUrl: ['https://linkedin.com.evil.example/', 'https://evil.example/linkedin.com'],
      websiteUrl: ['http://a.example', 'ftp://a.example', 'https://', 'data:text/html,hi', 'https://u:p@a.example/'],
    }
    for (const [field, urls] of Object.entries(good)) {
      for (const url of urls) {
        const { [field as 'githubUrl']: stored } = await alice.profile.update({ name: 'Alice', [field]: url })
        assert.equal(stored, url)
      }
    }
    for (const [field, urls] of Object.entries(bad)) {
      for (const url of urls) {
        const update = alice.profile.update({ name: 'Alice', [field]: url })
        await assert.rejects(update, { status: 400, message: new RegExp(`^${field}: `) }, url)
      }
    }
  })

  it('is public under the username, whatever the case, with what its owner has in the feed', async (world) => {
    const { alice, bob, blocked, anonymous } = world
    await alice.profile.setUsername({ username: 'Alice-1' })
    await alice.profile.update({ name: 'Alice', tagline: 'Makes things' })
    const post = await alice.posts.create({ title: 'Hello', body: 'I am new here' })
    const bug = await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    await bob.posts.create({ title: 'Hello', body: 'Me too' })
    await bob.posts.vote({ id: post.id, value: 1 })
    const { id } = await alice.account()
    const { entries, createdAt, ...shown } = await bob.profile.show({ username: 'aLICE-1' })
    assert.deepEqual(shown, {
      ...nothing,
      id,
      username: 'Alice-1',
      name: 'Alice',
      tagline: 'Makes things',
      avatarUrl: null,
      role: 'member',
    })
    assert.match(createdAt, /^\d{4}-/)
    assert.deepEqual(
      entries.items.map((item) => [item.id, item.type, item.authorUsername, item.myVote]),
      [
        [bug.id, 'bug', 'Alice-1', 0],
        [post.id, 'post', 'Alice-1', 1],
      ],
    )
    assert.equal(entries.total, 2)
    const second = await anonymous.profile.show({ username: 'alice-1', sort: 'popular', per_page: 1, page: 1 })
    assert.deepEqual(
      second.entries.items.map((item) => item.id),
      [bug.id],
    )
    assert.equal(second.entries.hasMore, false)
    await alice.bugs.delete({ id: bug.id })
    assert.equal((await anonymous.profile.show({ username: 'alice-1' })).entries.total, 1)
    const { username } = await blocked.account()
    assert.equal(username, null)
    for (const unknown of ['nobody', 'null', 'al%ice', '\0']) {
      await assert.rejects(anonymous.profile.show({ username: unknown }), (error: { status: number }) =>
        [400, 404].includes(error.status),
      )
    }
  })

  it('is gone while the account is blocked', async ({ alice, moderator, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice-1' })
    const { id } = await alice.account()
    await moderator.admin.block({ id, blocked: true })
    await assert.rejects(anonymous.profile.show({ username: 'alice-1' }), { status: 404 })
    await moderator.admin.block({ id, blocked: false })
    assert.equal((await anonymous.profile.show({ username: 'alice-1' })).id, id)
  })
})

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
