// The org gallery through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { filesOnDisk } from '../../../test/stored.ts'
import { BASE_URL, onEveryEngine, type Person } from '../../../test/world.ts'

const orgJson = await readFile(new URL('../../../test/fixtures/org-invoice-desk.json', import.meta.url), 'utf8')
const minimal = (changes: object = {}) => JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }], ...changes })
const upload = (person: Person, changes: object = {}) => person.orgs.create({ orgJson: minimal(changes) })

onEveryEngine('the org gallery', (it) => {
  it('takes a definition and shows it to anybody, by id and by slug', async ({ alice, anonymous }) => {
    const org = await alice.orgs.create({ orgJson })
    const goal = 'Match supplier invoices to purchase orders every morning. Escalate anything over 20000.'
    const { id, createdAt, ...rest } = org
    assert.deepEqual(rest, { slug: 'invoice-desk', name: 'invoice-desk', goal, topology: 'hierarchical', roleCount: 3 })
    const page = await anonymous.orgs.get({ id })
    assert.deepEqual(await anonymous.orgs.get({ id: 'invoice-desk' }), page)
    const { roles, communication, ...shown } = page
    assert.deepEqual(shown, {
      ...org,
      tagline: 'Match supplier invoices to purchase orders every morning.',
      description: null,
      body: null,
      bannerUrl: null,
      authorId: (await alice.account()).id,
      authorUsername: null,
      score: 0,
      myVote: 0,
      commentCount: 0,
      runCount: 0,
      sha256: createHash('sha256').update(orgJson).digest('hex'),
      size: Buffer.byteLength(orgJson),
      updatedAt: createdAt,
      url: '/community/orgs/invoice-desk',
      href: `${BASE_URL}/community/orgs/invoice-desk`,
      can: { edit: false, delete: false },
      via: null,
    })
    assert.deepEqual(communication, [{ from: 'lead', to: 'matcher', type: 'command' }])
    assert.deepEqual(
      roles.map((role) => [role.id, role.title, role.type, role.reports_to]),
      [
        ['lead', 'Desk Lead', 'boss', null],
        ['matcher', 'Matcher', 'specialist', 'lead'],
        ['auditor', 'Auditor', 'specialist', 'lead'],
      ],
    )
    assert.deepEqual(roles[0]!.responsibilities, ['assign invoices', 'approve matches'])
    assert.deepEqual(roles[0]!.policy, { git: 'none', denyTools: ['WebFetch'] })
    assert.equal(roles[1]!.model, 'some-model')
    assert.equal(roles[1]!.budget_usd, 2.5)
  })

  it('has an org called New at its id, since the site has a page of its own at /community/orgs/new', async (world) => {
    const { id, slug } = await upload(world.alice, { name: 'New' })
    assert.equal(slug, 'new')
    const url = `/community/orgs/${id}`
    assert.equal((await world.anonymous.orgs.get({ id: 'new' })).url, url)
    const [listed] = (await world.anonymous.orgs.list()).items
    const [entry] = (await world.anonymous.feed.list()).items
    assert.deepEqual([listed!.url, entry!.url], [url, url])
  })

  it('gives the definition back byte for byte', async ({ alice, anonymous }) => {
    const strange = `  ${minimal({ name: 'Größe 😀', 'x-unknown': [1, { deep: null }] })}\n`
    const { id, slug } = await alice.orgs.create({ orgJson: strange })
    const answer = await anonymous.orgs.definition({ id: slug })
    assert.equal(await answer.text(), strange)
    const sha256 = createHash('sha256').update(strange).digest('hex')
    assert.equal(answer.headers.get('x-content-sha256'), sha256)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(
      answer.headers.get('content-disposition'),
      `attachment; filename="${slug}.json"; filename*=UTF-8''${slug}.json`,
    )
    const path = `/api/community/orgs/${id}/definition`
    const again = await anonymous.request(path, { headers: { 'If-None-Match': `"${sha256}"` } })
    assert.equal(again.status, 304)
    const part = await anonymous.request(path, { headers: { Range: 'bytes=2-5' } })
    assert.deepEqual([part.status, await part.text()], [206, strange.slice(2, 6)])
  })

  it('takes 500,000 bytes of definition and not one more', async ({ alice, ...world }) => {
    const filled = (bytes: number, filler: string) => {
      const empty = minimal({ note: '' }).length
      return minimal({ note: filler.repeat((bytes - empty) / Buffer.byteLength(filler)) })
    }
    const largest = filled(500_000, 'x')
    assert.equal(Buffer.byteLength(largest), 500_000)
    const { id } = await alice.orgs.create({ orgJson: largest })
    assert.equal((await alice.orgs.get({ id })).size, 500_000)
    const before = await filesOnDisk(world)
    const refusal = { status: 400, message: 'orgJson: must have at most 500,000 bytes' }
    await assert.rejects(alice.orgs.create({ orgJson: `${largest} ` }), refusal)
    const multibyte = filled(500_000, 'é')
    await assert.rejects(alice.orgs.create({ orgJson: `${multibyte}é` }), refusal)
    assert.deepEqual(await filesOnDisk(world), before)
  })

  it('names the first field that is wrong, and keeps nothing of it', async ({ alice, db, ...world }) => {
    const wrong: [string, RegExp][] = [
      ['', /expected JSON/],
      ['{', /expected JSON/],
      ['[]', /expected a JSON object/],
      [JSON.stringify({ roles: [{ id: 'a' }] }), /^name: expected/],
      [minimal({ goal: null }), /^goal: expected a string/],
      [minimal({ roles: [] }), /^roles: expected at least 1 role/],
      [minimal({ roles: [{ id: 'a' }, { id: '' }] }), /^roles\.1\.id: expected/],
      [minimal({ roles: [{ id: 'a', provider: { kind: 'openai', secret: 1 } }] }), /^roles\.0\.provider\.secret: /],
      [minimal({ name: 'a\0b' }), /^name: expected well-formed/],
      [`${minimal()}\ud800`, /well-formed text/],
    ]
    for (const [text, message] of wrong)
      await assert.rejects(alice.orgs.create({ orgJson: text }), { status: 400, message })
    for (const body of ['{}', '{"orgJson":7}', '{"orgJson":{"name":"x"}}', 'no json', '[]']) {
      const headers = { 'Content-Length': String(body.length), 'Content-Type': 'application/json' }
      const answer = await alice.request('/api/community/orgs', { method: 'POST', body, headers })
      assert.deepEqual([answer.status, typeof (await answer.json()).error], [400, 'string'])
    }
    assert.deepEqual(await filesOnDisk(world), [])
    assert.equal((await db.selectFrom('slug').selectAll().execute()).length, 0)
  })

  it('finds an address for any name', async ({ alice, bob, anonymous }) => {
    const slugs = []
    for (const [person, name] of [
      [alice, 'Crème Brûlée  Desk!'],
      [bob, 'creme-brulee desk'],
      [alice, 'CREME BRULEE DESK'],
      [alice, '!!!'],
      [alice, `${'a'.repeat(59)} b`],
    ] as const) {
      slugs.push((await upload(person, { name })).slug)
    }
    assert.deepEqual(slugs, [
      'creme-brulee-desk',
      'creme-brulee-desk-2',
      'creme-brulee-desk-3',
      'untitled',
      'a'.repeat(59),
    ])
    const first = await anonymous.orgs.get({ id: slugs[0]! })
    assert.equal(first.name, 'Crème Brûlée  Desk!')
    // An org that is called like the id of another one does not stand in for it.
    const impostor = await upload(bob, { name: first.id })
    assert.equal(impostor.slug, first.id)
    assert.equal((await anonymous.orgs.get({ id: first.id })).id, first.id)
    await assert.rejects(anonymous.orgs.get({ id: 'nothing' }), { status: 404, message: 'No such org' })
  })

  it('shares addresses with the orgs of the library, and gives one back with the org', async ({ alice, db }) => {
    await db.insertInto('slug').values({ kind: 'org', slug: 'desk', base: 'desk', targetId: 'an item' }).execute()
    assert.equal((await upload(alice)).slug, 'desk-2')
    await db.insertInto('slug').values({ kind: 'workflow', slug: 'flow', base: 'flow', targetId: 'another' }).execute()
    const { id, slug } = await upload(alice, { name: 'flow' })
    assert.equal(slug, 'flow')
    await alice.orgs.delete({ id })
    assert.equal((await upload(alice, { name: 'flow' })).slug, 'flow')
  })

  it('gives each of many uploads of one name an address of its own', async ({ alice, bob }) => {
    const people = [alice, bob]
    await Promise.all(people.map((person) => person.account()))
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => upload(people[index % 2]!)))
    assert.equal(new Set(made.map(({ slug }) => slug)).size, 12)
  })

  it('lists them by page, order, author and search, with totals', async ({ alice, bob, anonymous }) => {
    const names = ['one', 'two', 'three', 'four', 'five']
    const ids: Record<string, string> = {}
    for (const [index, name] of names.entries()) {
      ids[name] = (await upload(index % 2 ? bob : alice, { name, goal: `Goal of ${name}. More.`, topology: 'mesh' })).id
    }
    await bob.orgs.vote({ id: ids['two']!, value: 1 })
    const listed = async (input: Parameters<typeof anonymous.orgs.list>[0], person: Person = anonymous) => {
      const { items, hasMore, total } = await person.orgs.list(input)
      return [items.map(({ name }) => name).join(' '), hasMore, total]
    }
    assert.deepEqual(await listed({}), ['five four three two one', false, 5])
    assert.deepEqual(await listed({ per_page: 2, page: 1 }), ['three two', true, 5])
    assert.deepEqual(await listed({ per_page: 2, page: 2 }), ['one', false, 5])
    assert.deepEqual(await listed({ page: 9 }), ['', false, 5])
    assert.deepEqual(await listed({ sort: 'popular' }), ['two five four three one', false, 5])
    const authorId = (await bob.account()).id
    assert.deepEqual(await listed({ authorId }), ['four two', false, 2])
    assert.deepEqual(await listed({ authorId, sort: 'popular', per_page: 1 }), ['two', true, 2])
    assert.deepEqual(await listed({ q: 'f GOAL ur' }), ['four', false, 1])
    assert.deepEqual(await listed({ q: 'nothing has it' }), ['', false, 0])
    await alice.orgs.delete({ id: ids['five']! })
    assert.deepEqual(await listed({}), ['four three two one', false, 4])
    assert.deepEqual(await listed({ q: 'goal of fi' }), ['', false, 0])
    const [mine] = (await bob.orgs.list({ q: 'two' })).items
    assert.deepEqual([mine!.myVote, mine!.score, mine!.tagline, mine!.topology], [1, 1, 'Goal of two.', 'mesh'])
  })

  it('accepts a name and a goal of any length, and cuts them where many are shown', async ({ alice, anonymous }) => {
    const [name, goal] = ['n'.repeat(5_000), 'g'.repeat(50_000)]
    const { id, slug } = await upload(alice, { name, goal, topology: 7 })
    assert.equal(slug, 'n'.repeat(60))
    const page = await anonymous.orgs.get({ id })
    assert.deepEqual([page.name, page.goal, page.topology, page.tagline], [name, goal, null, 'g'.repeat(150)])
    const [entry] = (await anonymous.orgs.list({})).items
    assert.deepEqual([entry!.name, entry!.goal], ['n'.repeat(200), 'g'.repeat(2_000)])
    const [shown] = (await anonymous.feed.list({})).items
    assert.deepEqual([shown!.title, shown!.preview], ['n'.repeat(100), 'g'.repeat(150)])
  })
})
