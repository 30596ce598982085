// Runs of an org and their files, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { filesOnDisk, objectsIn } from '../../../../test/stored.ts'
import { onEveryEngine, type Person, type World } from '../../../../test/world.ts'

const MAX_BYTES = 2 * 1024 * 1024
const upload = (person: Person) =>
  person.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
const file = (name: string, content: BlobPart = `# ${name}`) => new File([content], name)
const files = (count: number) => Array.from({ length: count }, (_, index) => file(`${index}.md`))

/** Sends runs that must be refused, and finds nothing kept of them. */
async function refused(world: World, id: string, given: File[], message: RegExp) {
  const before = await filesOnDisk(world)
  await assert.rejects(world.bob.orgRuns.add({ id, files: given }), { status: 400, message })
  assert.deepEqual(await filesOnDisk(world), before)
  assert.equal((await world.anonymous.orgRuns.list({ id })).total, 0)
}

onEveryEngine('runs', (it) => {
  it('are attached by any account and read by anybody', async ({ alice, bob, anonymous }) => {
    const org = await upload(alice)
    const given = [file('plan.md', '# Plan é'), file('Report.HTML', '<p>Done</p>'), file('empty.md', '')]
    const run = await bob.orgRuns.add({ id: org.slug, label: ' Nightly ', files: given })
    assert.deepEqual(Object.keys(run).sort(), ['createdAt', 'files', 'id', 'label'])
    assert.equal(run.label, 'Nightly')
    assert.deepEqual(
      run.files.map(({ id: _, ...rest }) => rest),
      [
        { filename: 'plan.md', fileType: 'md', sizeBytes: 9 },
        { filename: 'Report.HTML', fileType: 'html', sizeBytes: 11 },
        { filename: 'empty.md', fileType: 'md', sizeBytes: 0 },
      ],
    )
    const entry = { ...run, orgUploadId: org.id, authorId: (await bob.account()).id, authorUsername: null, via: null }
    assert.deepEqual(await anonymous.orgRuns.get({ id: org.id, runId: run.id }), entry)
    assert.deepEqual(await anonymous.orgRuns.list({ id: org.slug }), { items: [entry], hasMore: false, total: 1 })
    assert.equal((await anonymous.orgs.get({ id: org.id })).runCount, 1)
    const bodies = await Promise.all(
      run.files.map(async ({ id }) => (await anonymous.orgRuns.file({ fileId: id })).text()),
    )
    assert.deepEqual(bodies, ['# Plan é', '<p>Done</p>', ''])
  })

  it('are listed newest first, a page at a time', async ({ alice, anonymous, clock }) => {
    const { id } = await upload(alice)
    for (const label of ['one', 'two', 'three']) {
      await alice.orgRuns.add({ id, label, files: [file('a.md')] })
      clock.pass(1)
    }
    const { items, hasMore, total } = await anonymous.orgRuns.list({ id, per_page: 2 })
    assert.deepEqual([items.map(({ label }) => label), hasMore, total], [['three', 'two'], true, 3])
    assert.deepEqual(
      (await anonymous.orgRuns.list({ id, per_page: 2, page: 1 })).items.map(({ label }) => label),
      ['one'],
    )
    assert.deepEqual((await anonymous.orgRuns.list({ id, page: 5 })).items, [])
    await assert.rejects(anonymous.orgRuns.list({ id: 'nothing' }), { status: 404 })
  })

  it('may have a label of 100 characters; a blank one is none', async ({ alice }) => {
    const { id } = await upload(alice)
    const add = async (label?: string) =>
      (await alice.orgRuns.add({ id, files: [file('a.md')], ...(label !== undefined && { label }) })).label
    assert.deepEqual([await add(), await add('   '), await add('x'.repeat(100))], [null, null, 'x'.repeat(100)])
    await assert.rejects(add('x'.repeat(101)), { status: 400, message: /^label: / })
  })

  it('have one to ten files', async (world) => {
    const { id } = await upload(world.alice)
    await refused(world, id, files(11), /./)
    await refused(world, id, [], /^files: a file is required$/)
    assert.equal((await world.bob.orgRuns.add({ id, files: files(10) })).files.length, 10)
  })

  it('have files of 2 MB and not a byte more', async (world) => {
    const { id } = await upload(world.alice)
    await refused(world, id, [file('a.md'), file('b.md', 'x'.repeat(MAX_BYTES + 1))], /./)
    const run = await world.bob.orgRuns.add({ id, files: [file('b.md', 'x'.repeat(MAX_BYTES))] })
    assert.equal(run.files[0]!.sizeBytes, MAX_BYTES)
    const served = await world.anonymous.orgRuns.file({ fileId: run.files[0]!.id })
    assert.equal((await served.arrayBuffer()).byteLength, MAX_BYTES)
  })

  it('have files that are what they are called', async (world) => {
    const { id } = await upload(world.alice)
    const good = file('good.md')
    for (const name of ['a.txt', 'a.htm', 'a.svg', 'a.md.exe', 'a', 'md', '.md', '..md', 'a.md/', 'a.html ;.js']) {
      await refused(world, id, [good, file(name)], /^files: /)
    }
    const lies: BlobPart[] = [
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      new Uint8Array([0xff, 0xfe, 0x41, 0x00]),
      new Uint8Array([0xc0, 0xaf]),
      'PK\x03\x04 a zip\0',
    ]
    for (const content of lies) await refused(world, id, [good, file('lie.md', content)], /^lie\.md: must be text/)
  })

  it('have files whose names lost their paths and control characters', async ({ alice, anonymous }) => {
    const { id } = await upload(alice)
    const names: [given: string, kept: string][] = [
      ['../../etc/report.md', 'report.md'],
      ['C:\\Users\\alice\\report.html', 'report.html'],
      ['/absolute.md', 'absolute.md'],
      ['tab\there\x7f.md', 'tabhere.md'],
      ['\u202Elmth.md', 'lmth.md'],
      ["Größe 😀 (bob's).md", "Größe 😀 (bob's).md"],
      [`${'long'.repeat(100)}.html`, `${'long'.repeat(100).slice(0, 195)}.html`],
    ]
    const { files: kept } = await alice.orgRuns.add({ id, files: names.map(([given]) => file(given)) })
    assert.deepEqual(
      kept.map(({ filename }) => filename),
      names.map(([, name]) => name),
    )
    const answer = await anonymous.orgRuns.file({ fileId: kept[5]!.id })
    assert.equal(
      answer.headers.get('content-disposition'),
      `inline; filename="Gr__e __ (bob's).md"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%98%80%20%28bob%27s%29.md`,
    )
  })

  it('have files that are served as text in a sandbox, for good', async ({ alice, anonymous }) => {
    const { id } = await upload(alice)
    const given = [file('a.md'), file('b.html', '<script>alert(1)</script>')]
    const { files: kept } = await alice.orgRuns.add({ id, files: given })
    for (const [index, contentType] of ['text/markdown; charset=utf-8', 'text/html; charset=utf-8'].entries()) {
      const path = `/api/community/org-run-files/${kept[index]!.id}`
      const { headers } = await anonymous.request(path)
      assert.deepEqual(
        ['content-type', 'x-content-type-options', 'cache-control', 'content-security-policy'].map((name) =>
          headers.get(name),
        ),
        [
          contentType,
          'nosniff',
          'public, max-age=31536000, immutable',
          "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        ],
      )
      const known = await anonymous.request(path, { headers: { 'If-None-Match': headers.get('etag')! } })
      assert.deepEqual([known.status, await known.text()], [304, ''])
      assert.equal(known.headers.get('content-security-policy'), headers.get('content-security-policy'))
      const head = await anonymous.request(path, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(kept[index]!.sizeBytes)])
    }
  })

  it('serve files of runs and nothing else under the address of a file', async ({ alice, anonymous, dependencies }) => {
    const org = await upload(alice)
    const run = await alice.orgRuns.add({ id: org.id, files: [file('a.md')] })
    await dependencies.blobs.objects.put('secret', Buffer.from('secret'), 'text/plain')
    for (const other of [org.id, run.id, 'secret', '..%2Fsecret', '%2e%2e%2fsecret', 'org-runs%2Fx', '%00']) {
      const answer = await anonymous.request(`/api/community/org-run-files/${other}`)
      assert.ok([400, 404].includes(answer.status), `${other}: ${answer.status}`)
      assert.equal(typeof (await answer.json()).error, 'string')
    }
  })

  it('are removed by whoever attached them, moderators and admins', async (world) => {
    const { alice, bob, moderator, admin, anonymous, db } = world
    const [org, other] = [await upload(alice), await upload(alice)]
    const add = () => bob.orgRuns.add({ id: org.id, files: files(3) })
    const [first, second, third] = [await add(), await add(), await add()]
    await assert.rejects(alice.orgRuns.delete({ id: org.id, runId: first.id }), { status: 403, message: 'Forbidden' })
    await assert.rejects(bob.orgRuns.delete({ id: other.id, runId: first.id }), { status: 404 })
    await assert.rejects(bob.orgRuns.delete({ id: org.id, runId: 'nothing' }), { status: 404 })
    assert.equal((await objectsIn(world, 'org-runs')).length, 9)
    assert.deepEqual(await bob.orgRuns.delete({ id: org.slug, runId: first.id }), { id: first.id })
    await moderator.orgRuns.delete({ id: org.id, runId: second.id, reason: 'Off topic' })
    await admin.orgRuns.delete({ id: org.id, runId: third.id })
    await assert.rejects(bob.orgRuns.delete({ id: org.id, runId: first.id }), { status: 404 })
    assert.deepEqual(await objectsIn(world, 'org-runs'), [])
    await assert.rejects(anonymous.orgRuns.file({ fileId: first.files[0]!.id }), { status: 404 })
    assert.equal((await anonymous.orgs.get({ id: org.id })).runCount, 0)
    const acts = await db.selectFrom('audit').select('reason').where('action', '=', 'run.delete').execute()
    assert.deepEqual(acts.map(({ reason }) => reason).sort(), ['Off topic', null])
  })

  it('are attached only to what is there, in a form', async (world) => {
    const { alice, bob } = world
    const { id } = await upload(alice)
    await assert.rejects(bob.orgRuns.add({ id: 'nothing', files: files(2) }), { status: 404 })
    for (const init of [
      { body: '{}', headers: { 'Content-Type': 'application/json' } },
      { body: 'x', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } },
      {},
    ]) {
      const answer = await bob.request(`/api/community/orgs/${id}/runs`, { method: 'POST', ...init })
      assert.equal(answer.status, 400)
    }
    const form = new FormData()
    form.append('wrong', file('a.md'))
    const answer = await bob.request(`/api/community/orgs/${id}/runs`, { method: 'POST', body: form })
    assert.deepEqual([answer.status, (await answer.json()).error], [400, 'wrong: is not a file that is taken here'])
    assert.deepEqual(
      (await filesOnDisk(world)).filter((path) => !path.startsWith('artifacts/')),
      [],
    )
  })
})
