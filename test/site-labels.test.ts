// Labels on the pages of what has them, as browsers without script show them and change them.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()

onEveryEngine('the pages of what has labels', (it) => {
  it('show them, lead to the lists of each, and let moderators change them', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const label = await moderator.labels.create({ name: 'clock', color: '#336699' })
    const bug = await alice.bugs.create({ title: 'Slow', description: 'It is', severity: 'low' })
    const feature = await alice.features.create({ title: 'Dark', description: 'mode' })
    const post = await alice.posts.create({ title: 'Hello', body: 'World' })
    await moderator.posts.create({ title: 'Another', body: 'World' })
    for (const [folder, { id, title }] of [
      ['bugs', bug],
      ['features', feature],
      ['posts', post],
    ] as const) {
      const [list, here] = [`/community/${folder}`, `/community/${folder}/${id}`]
      const chip = new RegExp(`href="${list}\\?label=${label.id}"[^>]*>[\\s\\S]*?clock`)
      assert.doesNotMatch(await page(anonymous, here), /clock/)
      assert.doesNotMatch(await page(alice, here), /\?\/attachLabel/)
      for (const may of [moderator, admin]) assert.match(await page(may, here), /\?\/attachLabel/)
      assert.equal((await submit(alice, `${here}?/attachLabel`, { labelId: label.id })).status, 403)
      await submit(moderator, `${here}?/attachLabel`, { labelId: label.id })
      for (const path of [here, list, `${list}?label=${label.id}`])
        assert.match(await page(anonymous, path), chip, path)
      assert.match(await page(anonymous, list), />clock<\/span>(?:<!--[^>]*-->|\s)*<span class="number quiet">1</)
      const filtered = await page(anonymous, `${list}?label=clock`)
      assert.ok(filtered.includes(title) && !filtered.includes('Another'), folder)
      assert.match(await page(moderator, here), /\?\/detachLabel/)
      await submit(moderator, `${here}?/detachLabel`, { labelId: label.id })
      const [facts = ''] = /<dl class="thread-facts"[\s\S]*?<\/dl>/.exec(await page(anonymous, here)) ?? []
      assert.doesNotMatch(facts, /clock/)
    }
    await moderator.bugs.attachLabel({ id: bug.id, labelId: label.id })
    await moderator.posts.attachLabel({ id: post.id, labelId: label.id })
    const kinds = (await page(anonymous, '/community/features?label=clock')).replaceAll(/<!--.*?-->/g, '')
    const [, others = ''] = /aria-label="With this label">([\s\S]*?)<\/nav>/.exec(kinds) ?? []
    const chips = [...others.matchAll(/href="([^"]*)"( aria-current="page")?>\s*<span class="cut">([^<]*)</g)]
    assert.deepEqual(
      chips.map(([, href, current, name]) => [href, current !== undefined, name]),
      [
        ['/community/posts?label=clock', false, 'Posts 1'],
        ['/community/bugs?label=clock', false, 'Bugs 1'],
        ['/community/features?label=clock', true, 'Features 0'],
      ],
    )
    assert.doesNotMatch(await page(anonymous, '/community/features'), /With this label/)
    for (const named of ['CLOCK', label.id]) {
      const list = await page(anonymous, `/community/posts?label=${named}`)
      assert.match(list, new RegExp(`name="label" value="${label.id}" checked`), named)
    }
    const release = await admin.changelog.create({ title: 'Out', body: 'It is' })
    const none = await submit(moderator, `/community/changelog/${release.id}?/attachLabel`, { labelId: label.id })
    assert.equal(none.status, 404)
    assert.doesNotMatch(await page(moderator, `/community/changelog/${release.id}`), /\?\/attachLabel/)
  })
})
