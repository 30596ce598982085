// Versions and downloads, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { automationFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine, type Person } from '../../test/world.ts'

const publish = (person: Person, version?: string) =>
  person.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public', ...(version && { version }) })

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

onEveryEngine('library versions', (it) => {
  it('follow semantic versioning', async ({ alice }) => {
    const { id } = await publish(alice, '1.4.2-beta')
    const put = async (version?: string) =>
      (await alice.library.publishVersion({ id, file: workflowFile({ version }), ...(version && { version }) })).version
    const conflict = { status: 409, code: 'version_conflict' }
    await assert.rejects(put('1.4.2-alpha'), conflict)
    await assert.rejects(put('1.4.2-beta'), conflict)
    await assert.rejects(put('1.4.2-beta+build.7'), conflict)
    assert.equal(await put('1.4.2-beta.2'), '1.4.2-beta.2')
    assert.equal(await put(), '1.4.2')
    await assert.rejects(put('1.4.2-rc.1'), conflict)
    await assert.rejects(put('1.4.1'), conflict)
    assert.equal(await put(), '1.4.3')
    assert.equal(await put('1.10.0+a'), '1.10.0+a')
    await assert.rejects(put('1.10.0+b'), conflict)
    await assert.rejects(put('1.9.9'), conflict)
    await assert.rejects(put('2'), { status: 400, code: 'invalid_request' })
    const { versions } = await alice.library.versions({ id })
    const all = versions.map(({ version }) => version)
    assert.deepEqual(all, ['1.10.0+a', '1.4.3', '1.4.2', '1.4.2-beta.2', '1.4.2-beta'])
    for (const { artifact_url, sha256: digest, size, version } of versions) {
      const answer = await alice.request(artifact_url)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      assert.deepEqual([answer.status, bytes.length, sha256(bytes)], [200, size, digest])
      assert.equal(answer.headers.get('x-library-version'), version)
    }
    assert.equal(await put('1.10.9007199254740991'), '1.10.9007199254740991')
    assert.equal(await put(), '1.10.9007199254740992')
    await assert.rejects(put('1.10.9007199254740992'), conflict)
    const last = `99999999999999999999999.0.0-${'a'.repeat(256 - 28)}`
    assert.equal(await put(last), last)
    await assert.rejects(put(`${last}a`), { status: 400, code: 'invalid_request' })
  })

  it('of automations come from their manifest', async ({ alice }) => {
    const { id } = await alice.library.publish({ kind: 'automation', file: automationFile() })
    const put = (changes: object, version?: string) =>
      alice.library.publishVersion({ id, file: automationFile(changes), ...(version && { version }) })
    await assert.rejects(put({}), { status: 409, code: 'version_conflict' })
    await assert.rejects(put({ version: '0.3.0' }, '0.4.0'), { status: 400, code: 'invalid_request' })
    await assert.rejects(put({ version: '0.3.0', id: 'other' }), { status: 400, code: 'invalid_artifact' })
    const file = automationFile({ version: '0.1.0' })
    const item = { kind: 'automation', file, version: '0.1.1' }
    await assert.rejects(alice.library.publish(item), { status: 400, code: 'invalid_request' })
    const changed = await put({ version: '0.3.0', name: 'Another name', actions: ['b'] })
    assert.equal(changed.version, '0.3.0')
    assert.deepEqual(changed.meta['actions'], ['b'])
    // What people were told about it stays until its owner changes it.
    assert.equal(changed.name, 'Harbor Board')
    const answer = await alice.library.download({ id, version: '0.2.0' })
    assert.match(answer.headers.get('content-disposition')!, /filename="harbor-board-0\.2\.0\.mpkg"/)
    assert.equal(answer.headers.get('content-type'), 'application/zip')
  })

  it('published at once a hundred times are one success', async ({ alice }) => {
    const { id } = await publish(alice)
    const racing = Array.from({ length: 100 }, (_, index) =>
      alice.library.publishVersion({ id, version: '2.0.0', file: workflowFile({ name: `${index}` }) }),
    )
    const results = await Promise.allSettled(racing)
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    assert.deepEqual(reasons, Array(99).fill('version_conflict'))
    const { versions } = await alice.library.versions({ id })
    assert.deepEqual(
      versions.map(({ version }) => version),
      ['2.0.0', '1.0.0'],
    )
    const item = await alice.library.get({ id })
    const bytes = new Uint8Array(await (await alice.library.download({ id })).arrayBuffer())
    assert.deepEqual([sha256(bytes), item.version], [item.sha256, '2.0.0'])
  })

  it('without a number get one each when they race', async ({ alice }) => {
    const { id } = await publish(alice)
    const files = Array.from({ length: 8 }, (_, n) => workflowFile({ name: `${n}` }))
    const answers = await Promise.all(files.map((file) => alice.library.publishVersion({ id, file })))
    assert.deepEqual(
      answers.map(({ version }) => version).sort(),
      Array.from({ length: 8 }, (_, n) => `1.0.${n + 1}`),
    )
    // Each is told of its own, whoever came after it.
    for (const [n, file] of files.entries()) assert.equal(answers[n]!.sha256, sha256(await file.bytes()))
    assert.equal((await alice.library.get({ id })).version, '1.0.8')
    assert.equal((await alice.library.versions({ id })).versions.length, 9)
  })

  it('are published by the owner, and of official items by admins too', async ({ alice, bob, admin, anonymous }) => {
    const { id } = await publish(alice)
    const put = (person: Person) => person.library.publishVersion({ id, file: workflowFile() })
    await assert.rejects(put(anonymous), { status: 401 })
    await assert.rejects(put(bob), { status: 403, code: 'forbidden' })
    await assert.rejects(put(admin), { status: 403 })
    await admin.library.update({ id, visibility: 'official' })
    assert.equal((await put(admin)).version, '1.0.1')
    await admin.library.update({ id, visibility: 'public' })
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(put(bob), { status: 404 })
  })

  it('download whole, in part, or not at all when nothing changed', async ({ alice, bob, anonymous }) => {
    const { id, sha256: digest, size } = await publish(alice)
    const path = `/api/library/items/${id}/artifact`
    const ask = (headers: Record<string, string>, method = 'GET') => bob.request(path, { headers, method })
    const whole = await ask({})
    const bytes = new Uint8Array(await whole.arrayBuffer())
    assert.equal(bytes.length, size)
    const names = ['content-type', 'content-length', 'etag', 'x-content-sha256', 'x-library-version', 'cache-control']
    const values = ['application/json', String(size), `"${digest}"`, digest, '1.0.0', 'private, no-cache, no-transform']
    assert.deepEqual(
      names.map((name) => whole.headers.get(name)),
      values,
    )
    const disposition = `attachment; filename="morning-digest.json"; filename*=UTF-8''morning-digest.json`
    assert.equal(whole.headers.get('content-disposition'), disposition)
    const head = await ask({}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, String(size), ''])
    const part = await ask({ range: 'bytes=10-19' })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${size}`)
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.subarray(10, 20))
    assert.equal((await ask({ range: `bytes=${size}-` })).status, 416)
    assert.equal((await ask({ 'if-none-match': `"${digest}"` })).status, 304)
    assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
    for (const [wanted, status] of [
      [`"${digest}"`, 200],
      [`"other", "${digest}"`, 200],
      ['*', 200],
      ['"other"', 412],
      [`W/"${digest}"`, 412],
    ] as const) {
      assert.equal((await ask({ 'if-match': wanted })).status, status, wanted)
    }
    const ranged = await ask({ range: 'bytes=0-3' }, 'HEAD')
    assert.deepEqual([ranged.status, ranged.headers.get('content-range')], [200, null])
    assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200)
    assert.equal((await anonymous.request(path)).status, 401)
    assert.match((await anonymous.request(path)).headers.get('www-authenticate')!, /scope="library:read"/)
    for (const [version, status] of [
      ['1.0.1', 404],
      ['1.0.0+other', 200],
      ['one', 400],
      ['', 200],
    ] as const) {
      assert.equal((await bob.request(`${path}?version=${encodeURIComponent(version)}`)).status, status, version)
    }
    const bySlug = await bob.library.findDownload({ kind: 'workflows', slug: 'morning-digest', version: '1.0.0' })
    assert.equal(bySlug.headers.get('x-content-sha256'), digest)
  })
})
