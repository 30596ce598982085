// Filters of lists with several values, on pages as browsers without script show them, and in the Atom feeds of lists.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()

onEveryEngine('the filters of a list', (it) => {
  it('take several values, which can be taken away one at a time', async ({ alice, moderator, anonymous }) => {
    for (const [title, status, severity] of [
      ['First lamp', 'open', 'low'],
      ['Second lamp', 'in_progress', 'high'],
      ['Third lamp', 'resolved', 'high'],
    ] as const) {
      const { id } = await alice.bugs.create({ title, description: 'It stops', severity })
      if (status !== 'open') await moderator.bugs.triage({ id, status })
    }
    const at = '/community/bugs?status=open,in_progress&sort=popular'
    const found = await page(anonymous, at)
    assert.match(found, /First lamp/)
    assert.match(found, /Second lamp/)
    assert.doesNotMatch(found, /Third lamp/)
    assert.match(found, /2 bugs/)
    const boxes = found.match(/<input type="checkbox" name="status"[^>]*>/g) ?? []
    assert.deepEqual(
      boxes.map((box) => [/value="(\w+)"/.exec(box)![1], /checked/.test(box)]),
      [
        ['open', true],
        ['in_progress', true],
        ['resolved', false],
      ],
    )
    const form = found.slice(found.indexOf('id="filter-status"'), found.indexOf('<input type="checkbox" name="status"'))
    assert.match(form, /<form method="get" action="\/community\/bugs">/)
    assert.match(form, /<input type="hidden" name="sort" value="popular"/)
    const links = [...found.matchAll(/class="chip" href="([^"]*)" aria-label="Remove the filter ([^"]*)"/g)]
    assert.deepEqual(
      links.map(([, href, name]) => [href!.replaceAll('&amp;', '&'), name]),
      [
        ['/community/bugs?status=in_progress&sort=popular', 'Status: Open'],
        ['/community/bugs?status=open&sort=popular', 'Status: In progress'],
      ],
    )
  })

  it('of a form lead to one address, and its feed has the same things', async ({ alice, moderator, anonymous }) => {
    const label = await moderator.labels.create({ name: 'ui, or mail', color: '#336699' })
    const other = await moderator.labels.create({ name: 'cli', color: '#336699' })
    const made = []
    for (const title of ['First lamp', 'Second lamp', 'Third lamp']) {
      made.push(await alice.posts.create({ title, body: 'It stops' }))
    }
    await moderator.posts.attachLabel({ id: made[0]!.id, labelId: label.id })
    await moderator.posts.attachLabel({ id: made[1]!.id, labelId: other.id })
    const sent = await anonymous.request(`/community/posts?q=&label=${label.id}&label=${other.id}&label=${other.id}`)
    assert.equal(sent.status, 307)
    const address = sent.headers.get('location')!
    assert.equal(decodeURIComponent(address), `/community/posts?q=&label=${label.id},${other.id}`)
    for (const found of [await page(anonymous, address), await page(anonymous, address.replace('?', '.atom?'))]) {
      assert.match(found, /First lamp/)
      assert.match(found, /Second lamp/)
      assert.doesNotMatch(found, /Third lamp/)
    }
    const named = await page(anonymous, `/community/posts?label=${encodeURIComponent(label.name)}`)
    assert.match(named, /First lamp/)
    assert.doesNotMatch(named, /Second lamp/)
    assert.match(named, /aria-label="Remove the filter Label: ui, or mail"/)
    for (const wrong of ['label=cli,none', `label=${Array.from({ length: 6 }, (_, at) => `name ${at}`)}`]) {
      assert.equal((await anonymous.request(`/community/posts?${wrong}`)).status, 400, wrong)
    }
    assert.equal((await anonymous.request('/community/bugs?status=none,other')).status, 200)
  })

  it('stand beside the order of what happened last, which the feed does not have', async (world) => {
    const { alice, bob, anonymous, clock } = world
    const made = []
    for (const title of ['First lamp', 'Second lamp']) {
      made.push(await alice.posts.create({ title, body: 'It stops' }))
      clock.pass(1)
    }
    await bob.posts.comment({ id: made[0]!.id, body: 'Here too' })
    const list = await page(anonymous, '/community/posts?sort=active')
    assert.match(list, /<a href="\/community\/posts\?sort=active" aria-current="true">\s*Last active\s*<\/a>/)
    for (const found of [list, await page(anonymous, '/community/posts.atom?sort=active')])
      assert.ok(found.indexOf('First lamp') < found.indexOf('Second lamp'))
    const latest = await page(anonymous, '/community/posts')
    assert.ok(latest.indexOf('Second lamp') < latest.indexOf('First lamp'))
    for (const at of ['/community', '/community/orgs', '/community/changelog'])
      assert.doesNotMatch(await page(anonymous, `${at}?sort=active`), /Last active/)
  })

  it('show members what is new since their visit, and count no page that a browser only fetched', async (world) => {
    const { alice, bob, anonymous, clock } = world
    const at = '/community/posts?sort=new'
    await alice.posts.create({ title: 'First lamp', body: 'It stops' })
    assert.match(await page(bob, '/community/posts'), /New since my visit[\s\S]*First lamp/)
    clock.pass(3600)
    await alice.posts.create({ title: 'Second lamp', body: 'It stops' })
    for (let times = 0; times < 2; times++) {
      const found = await page(bob, at)
      assert.match(found, /aria-current="true">\s*New since my visit/)
      assert.match(found, /Second lamp/)
      assert.doesNotMatch(found, /First lamp/)
      assert.match(found, /1 post\b/)
      clock.pass(600)
    }
    clock.pass(3600)
    const headers = { 'sec-purpose': 'prefetch;anonymous-client-ip' }
    for (let times = 0; times < 2; times++) {
      assert.doesNotMatch(await (await bob.request(at, { headers })).text(), /lamp/)
      clock.pass(7200)
      const { since } = await bob.threads.myListVisit({ type: 'post' })
      assert.ok(Date.parse(String(since)) < clock.now() - 10_000_000)
    }
    const visitor = await page(anonymous, at)
    assert.doesNotMatch(visitor, /New since my visit/)
    assert.match(visitor, /Second lamp[\s\S]*First lamp/)
  })
})
