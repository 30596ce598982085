// Publishing, reading, changing and removing items through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, fileOf, orgFile, workflow, workflowFile } from '../../test/library.ts'
import { onEveryEngine, type Person } from '../../test/world.ts'

const publish = (person: Person, visibility: 'private' | 'public' | 'official' = 'public') =>
  person.library.publish({ kind: 'workflow', file: workflowFile(), visibility })

onEveryEngine('library items', (it) => {
  it('are published private, and seen by their owner alone', async ({ alice, bob, anonymous }) => {
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    const { id: ownerId } = await alice.account()
    assert.deepEqual(item, {
      ...{ id: item.id, kind: 'workflow', slug: 'morning-digest', name: 'Morning Digest' },
      ...{ description: workflow['description'], version: '1.0.0', visibility: 'private', tags: [] },
      ...{ owner: { id: ownerId, username: null, name: 'alice' }, sha256: item.sha256, size: workflowFile().size },
      meta: {
        node_types: ['harbor-board.list_berths', 'trigger.cron'],
        trigger_types: ['trigger.cron'],
        required_automations: ['harbor-board'],
      },
      ...{ score: 0, my_vote: 0, comment_count: 0, created_at: item.created_at, updated_at: item.created_at },
      url: 'http://localhost:3000/library/workflows/morning-digest',
      href: 'http://localhost:3000/library/workflows/morning-digest',
      artifact_url: `http://localhost:3000/api/library/items/${item.id}/artifact`,
      downloads: { total: 0, week: 0 },
      via: null,
      can: { edit: true, delete: true, manage: true, webhooks: true },
    })
    assert.deepEqual(await alice.library.get({ id: item.id }), item)
    assert.deepEqual(await alice.library.find({ kind: 'Workflows', slug: 'morning-digest' }), item)
    for (const other of [bob, anonymous]) {
      await assert.rejects(other.library.get({ id: item.id }), { status: 404, code: 'not_found' })
      await assert.rejects(other.library.find({ kind: 'workflow', slug: 'morning-digest' }), { status: 404 })
      await assert.rejects(other.library.versions({ id: item.id }), { status: 404 })
      await assert.rejects(other.library.readme({ id: item.id }), { status: 404 })
      await assert.rejects(other.library.contents({ id: item.id }), { status: 404 })
      assert.equal((await other.library.list()).total, 0)
    }
    await assert.rejects(bob.library.download({ id: item.id }), { status: 404 })
    await assert.rejects(anonymous.library.download({ id: 'nothing' }), { status: 401, code: 'unauthorized' })
  })

  it('take what the form says before what the file says', async ({ alice }) => {
    const item = await alice.library.publish({
      ...{ kind: 'Automations', file: automationFile(), visibility: 'public', name: ' Berths  ' },
      ...{ description: 'For the harbour', tags: ' Mail, digest,mail ,', version: '0.2.0' },
    })
    assert.equal(item.name, 'Berths')
    assert.equal(item.slug, 'harbor-board')
    assert.equal(item.description, 'For the harbour')
    assert.equal(item.version, '0.2.0')
    assert.deepEqual(item.tags, ['mail', 'digest'])
    const blank = { name: '', description: ' ', tags: '', version: '', visibility: '' as never }
    const plain = await alice.library.publish({ kind: 'org', file: orgFile(), ...blank })
    assert.equal(plain.name, 'invoice-desk')
    assert.deepEqual(plain.meta, { role_count: 3, topology: 'hierarchical' })
    assert.equal(plain.visibility, 'private')
  })

  it('refuse a form that says what cannot be', async ({ alice }) => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join()
    const sound = { kind: 'workflow', visibility: 'public' as const, file: workflowFile() }
    const cases: [object, boolean][] = [
      [{ name: 'n'.repeat(100) }, true],
      [{ name: 'n'.repeat(101) }, false],
      [{ description: 'd'.repeat(2000) }, true],
      [{ description: 'd'.repeat(2001) }, false],
      [{ tags: tags(10) }, true],
      [{ tags: tags(11) }, false],
      [{ tags: 't'.repeat(32) }, true],
      [{ tags: 't'.repeat(33) }, false],
      [{ tags: '-t' }, false],
      [{ tags: 'naïve' }, false],
      [{ version: '2.0.0-rc.1+build.5' }, true],
      [{ version: 'v2.0.0' }, false],
      [{ version: '2.0' }, false],
      [{ kind: 'widget' }, false],
      [{ kind: undefined }, false],
      [{ file: undefined }, false],
      [{ file: [workflowFile(), workflowFile()] }, undefined as never],
      [{ visibility: 'secret' }, false],
    ]
    for (const [changes, good] of cases) {
      const call = alice.library.publish({ ...sound, ...changes })
      if (good) assert.ok((await call).id)
      else if (good === false)
        await assert.rejects(call, { status: 400, code: 'invalid_request' }, JSON.stringify(changes))
      else await assert.rejects(call, { status: 413, code: 'too_large' })
    }
  })

  it('have names in every script, and slugs of their own', async ({ alice, bob }) => {
    const slugs: string[] = []
    for (const name of [
      'Café Brûlé',
      '船の時刻表',
      '  ',
      'Café brulé!',
      '../../etc/passwd',
      '<script>alert(1)</script>',
    ]) {
      const { slug } = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name }) })
      slugs.push(slug)
    }
    const expected = [
      'cafe-brule',
      'untitled',
      'untitled-workflow',
      'cafe-brule-2',
      'etc-passwd',
      'script-alert-1-script',
    ]
    assert.deepEqual(slugs, expected)
    const [first, second] = [
      await alice.library.publish({ kind: 'automation', file: automationFile() }),
      await bob.library.publish({ kind: 'automation', file: automationFile() }),
    ]
    assert.deepEqual([first.slug, second.slug], ['harbor-board', 'harbor-board-2'])
  })

  it('get distinct slugs when they race', async ({ alice, bob }) => {
    await Promise.all([alice.account(), bob.account()])
    const racing = Array.from({ length: 24 }, (_, index) => publish(index % 2 ? alice : bob))
    const slugs = (await Promise.all(racing)).map(({ slug }) => slug)
    assert.equal(new Set(slugs).size, 24)
  })

  it('are changed by their owner, and keep their address', async ({ alice, bob, anonymous }) => {
    const { id } = await publish(alice)
    const changed = await alice.library.update({ id, name: 'Noon Digest', description: '', tags: ['A', 'b', 'a'] })
    assert.equal(changed.slug, 'morning-digest')
    assert.equal(changed.name, 'Noon Digest')
    assert.equal(changed.description, '')
    assert.deepEqual(changed.tags, ['a', 'b'])
    assert.ok(changed.updated_at > changed.created_at)
    assert.deepEqual((await alice.library.update({ id, tags: 'x, y' })).tags, ['x', 'y'])
    assert.deepEqual(await alice.library.update({ id }), await alice.library.get({ id }))
    assert.deepEqual((await alice.library.update({ id, tags: [] })).tags, [])
    for (const body of [
      { name: '' },
      { name: 'n'.repeat(101) },
      { tags: 7 as never },
      { visibility: 'all' as never },
    ]) {
      await assert.rejects(alice.library.update({ id, ...body }), { status: 400, code: 'invalid_request' })
    }
    await assert.rejects(bob.library.update({ id, name: 'Mine' }), { status: 403, code: 'forbidden' })
    await assert.rejects(anonymous.library.update({ id, name: 'Mine' }), { status: 401 })
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(bob.library.update({ id, name: 'Mine' }), { status: 404 })
  })

  it('become official, and cease to be, by admins alone', async ({ alice, bob, admin, moderator }) => {
    await assert.rejects(publish(alice, 'official'), { status: 403, code: 'forbidden' })
    const own = await publish(admin, 'official')
    assert.equal(own.visibility, 'official')
    const { id } = await publish(alice)
    await assert.rejects(alice.library.update({ id, visibility: 'official' }), { status: 403 })
    await assert.rejects(moderator.library.update({ id, visibility: 'official' }), { status: 403 })
    await assert.rejects(admin.library.update({ id, name: 'Better' }), { status: 403 })
    assert.equal((await admin.library.update({ id, visibility: 'official' })).visibility, 'official')
    await assert.rejects(alice.library.update({ id, visibility: 'public' }), { status: 403 })
    await assert.rejects(alice.library.update({ id, visibility: 'private' }), { status: 403 })
    assert.equal((await alice.library.update({ id, visibility: 'official', name: 'Mine' })).name, 'Mine')
    assert.equal((await admin.library.update({ id, name: 'Better' })).name, 'Better')
    await assert.rejects(bob.library.update({ id, name: 'Worse' }), { status: 403 })
    assert.equal((await bob.library.list({ scope: 'official' })).total, 2)
    assert.equal((await admin.library.update({ id, visibility: 'public' })).visibility, 'public')
    const hidden = await publish(alice, 'private')
    await assert.rejects(admin.library.update({ id: hidden.id, visibility: 'official' }), { status: 404 })
  })

  it('are removed by owner or admin with everything on them', async ({ alice, bob, admin, db }) => {
    const item = await alice.library.publish({
      kind: 'workflow',
      file: workflowFile(),
      visibility: 'public',
      tags: 'a',
    })
    await bob.library.vote({ id: item.id, value: 1 })
    await bob.library.comment({ id: item.id, body: 'Good' })
    await assert.rejects(bob.library.delete({ id: item.id }), { status: 403, code: 'forbidden' })
    assert.deepEqual(await alice.library.delete({ id: item.id }), { id: item.id, deleted: true })
    await assert.rejects(alice.library.delete({ id: item.id }), { status: 404 })
    for (const table of [
      'libraryItem',
      'itemVersion',
      'versionDetails',
      'itemTag',
      'itemText',
      'vote',
      'comment',
      'feedEntry',
      'slug',
    ] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    assert.equal((await bob.library.list({ q: 'digest' })).total, 0)
    assert.equal((await bob.library.list({ tag: 'a' })).total, 0)
    const hidden = await publish(alice, 'private')
    await assert.rejects(bob.library.delete({ id: hidden.id }), { status: 404 })
    assert.deepEqual(await admin.library.delete({ id: hidden.id, reason: 'A copy' }), { id: hidden.id, deleted: true })
    const { items } = await admin.admin.listAudit({ targetId: hidden.id })
    assert.deepEqual(
      items.map(({ action, reason }) => [action, reason]),
      [['item.delete', 'A copy']],
    )
    const acts = await db.selectFrom('audit').select(['action', 'targetId']).where('targetType', '=', 'item').execute()
    assert.deepEqual(acts, [{ action: 'item.delete', targetId: hidden.id }])
  })

  it('show their README and what is in them', async ({ alice, anonymous }) => {
    const permissions = { steps: ['navigate'], scripts: ['list'], downloads: true }
    const file = automationFile({ permissions, site: { domains: ['berths.example'] } }, [
      { name: 'README.md', data: '# Berths\n' },
      { name: 'actions/list_berths.json', data: '{}' },
    ])
    const { id } = await alice.library.publish({ kind: 'automation', file, visibility: 'public' })
    assert.deepEqual(await anonymous.library.readme({ id }), { version: '0.2.0', readme: '# Berths\n' })
    const contents = await anonymous.library.findContents({ kind: 'automations', slug: 'harbor-board' })
    assert.deepEqual(contents.permissions, { ...permissions, domains: ['berths.example'] })
    assert.deepEqual(
      contents.files.map(({ path }) => path),
      ['automation.json', 'README.md', 'actions/list_berths.json'],
    )
    const plain = await publish(alice)
    assert.equal((await anonymous.library.findReadme({ kind: 'workflow', slug: plain.slug })).readme, plain.description)
    const files = [{ path: 'morning-digest.json', size: plain.size }]
    const { may_do, ...rest } = await anonymous.library.contents({ id: plain.id })
    assert.deepEqual(rest, { version: '1.0.0', files, permissions: null, may_do_more: null })
    assert.deepEqual(
      may_do.map(({ type }) => type),
      ['connector', 'schedule', 'step'],
    )
  })

  it('are found where a slug is called like a part of the path', async ({ alice, anonymous }) => {
    for (const name of ['artifact', 'versions', 'readme', 'contents']) {
      const item = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name }), visibility: 'public' })
      const answer = await anonymous.request(`/api/library/items/WorkFlows/${name}`)
      assert.equal(((await answer.json()) as { id: string }).id, item.id)
      const versions = await anonymous.request(`/api/library/items/workflow/${name}/versions`)
      assert.equal(versions.status, 200)
    }
    assert.equal((await anonymous.request('/api/library/items/widget/mine')).status, 400)
    assert.equal((await anonymous.request('/api/library/items/widget/versions')).status, 404)
    assert.equal((await anonymous.request('/api/library/items/workflow/artifact', { method: 'PUT' })).status, 405)
    const unknown = await anonymous.request('/api/library/nothing')
    assert.equal(unknown.status, 404)
    assert.deepEqual(Object.keys(((await unknown.json()) as { error: object }).error), ['code', 'message'])
  })

  it('refuse files that are not of their kind', async ({ alice, anonymous }) => {
    const cases: [string, File, RegExp][] = [
      ['workflow', workflowFile({ nodes: [{ type: '' }] }), /^nodes\.0\.type/],
      ['org', orgFile({ roles: [] }), /^roles/],
      ['automation', automationFile({ version: '1' }), /^version/],
      ['workflow', automationFile(), /UTF-8|JSON/],
      ['automation', workflowFile(), /zip/],
      ['org', fileOf(Buffer.from([0xff, 0xfe]), 'org.json'), /UTF-8/],
    ]
    for (const [kind, file, message] of cases) {
      const call = alice.library.publish({ kind, file, visibility: 'public' })
      await assert.rejects(call, { status: 400, code: 'invalid_artifact', message })
    }
    assert.equal((await anonymous.library.list()).total, 0)
  })

  it('tell whose credential it is', async ({ alice, anonymous }) => {
    const { id, email } = await alice.account()
    const { user, scopes } = await alice.library.me()
    assert.deepEqual(user, { id, name: 'alice', username: null, email, image: null })
    assert.equal(scopes.length, 8)
    await assert.rejects(anonymous.library.me(), { status: 401, code: 'unauthorized' })
  })
})
