// Files of items by their names: bytes, headers, who gets them.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { meant, publishVersions, sha256 } from '../../../test/named-items.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { api } from '../../api.ts'
import { connect } from '../../surfaces/client.ts'

const LASTING = 'public, max-age=31536000, immutable, no-transform'

/** A path below /api as anonymous users request it, or a person. */
const get = (by: Person, path: string, init?: RequestInit) => by.request(`/api/library/${path}`, init)

onEveryEngine('files by name', (it) => {
  it('come without a credential, by version, range and latest', async (world) => {
    await publishVersions(world.alice, 'Digest', ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0', '2.0.0-rc.1'])
    const expected: [asked: string, version: string][] = [
      ['1.0.0', '1.0.0'],
      ['latest', '1.2.0'],
      ['*', '1.2.0'],
      ['^1.0', '1.2.0'],
      ['~1.1', '1.1.0'],
      ['1.1.0-beta.1', '1.1.0-beta.1'],
      ['>=1.1.0-alpha <1.1.0', '1.1.0-beta.1'],
      ['>=2.0.0-rc.0', '2.0.0-rc.1'],
      ['<1.0.0 || 1.1.x', '1.1.0'],
    ]
    for (const [version, result] of expected) assert.equal(await meant(world, version), result, version)
    const gone = { status: 404, code: 'not_found' }
    for (const version of ['3.0.0', '^3', '>2.0.0']) await assert.rejects(meant(world, version), gone, version)
    for (const version of ['newest', '1.2.3.4', '^'.repeat(256)]) {
      await assert.rejects(meant(world, version), { status: 400, code: 'invalid_request' }, version)
    }
    await assert.rejects(meant(world, '^'.repeat(257)), { status: 400 })
  })

  it('have the bytes and headers of the artifact, for GET and HEAD, in whole and in part', async (world) => {
    const { alice, anonymous } = world
    const item = await publishVersions(alice, 'Digest', ['1.0.0'])
    const artifact = await alice.library.download({ id: item.id })
    const bytes = await artifact.arrayBuffer()
    for (const kind of ['workflow', 'Workflows']) {
      const response = await get(anonymous, `${kind}/digest/1.0.0/file`)
      assert.equal(response.status, 200)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))
      const shared = [
        'etag',
        'x-content-sha256',
        'x-library-version',
        'content-type',
        'content-length',
        'content-disposition',
      ]
      for (const name of [...shared, 'accept-ranges']) {
        assert.equal(response.headers.get(name), artifact.headers.get(name), name)
      }
      assert.equal(response.headers.get('x-content-sha256'), sha256(bytes))
    }
    const head = await get(anonymous, 'workflow/digest/latest/file', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(item.size)])
    assert.equal((await head.arrayBuffer()).byteLength, 0)
    const part = await get(anonymous, 'workflow/digest/1.0.0/file', { headers: { Range: 'bytes=1-4' } })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), Buffer.from(bytes).subarray(1, 5))
  })

  it('can be cached: an exact version for ever, others are checked by their hash', async (world) => {
    const { alice, anonymous } = world
    const item = await publishVersions(alice, 'Digest', ['1.0.0', '1.1.0'])
    const cachedFor: [version: string, control: string][] = [
      ['1.0.0', LASTING],
      ['1.1.0+anything', LASTING],
      ['latest', 'public, no-cache, no-transform'],
      ['%5E1', 'public, no-cache, no-transform'],
    ]
    for (const [version, control] of cachedFor) {
      const first = await get(anonymous, `workflow/digest/${version}/file`)
      assert.equal(first.headers.get('cache-control'), control, version)
      const headers = { 'If-None-Match': first.headers.get('etag')! }
      const again = await get(anonymous, `workflow/digest/${version}/file`, { headers })
      assert.deepEqual([again.status, again.headers.get('cache-control')], [304, control], version)
    }
    const before = (await get(anonymous, 'workflow/digest/latest/file')).headers.get('etag')!
    await alice.library.publishVersion({
      id: item.id,
      version: '1.2.0',
      file: workflowFile({ name: 'Digest', description: 'New' }),
    })
    const after = await get(anonymous, 'workflow/digest/latest/file', { headers: { 'If-None-Match': before } })
    assert.deepEqual([after.status, after.headers.get('x-library-version')], [200, '1.2.0'])
  })

  it('of private items are for their owner alone, and no cache keeps them', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous } = world
    const item = await publishVersions(alice, 'Digest', ['1.0.0'], 'private')
    const asked = { kind: 'workflow', slug: 'digest', version: '1.0.0' }
    for (const person of [bob, moderator, admin, blocked, anonymous]) {
      await assert.rejects(person.library.file(asked), { status: 404, code: 'not_found' })
    }
    const own = await alice.library.file(asked)
    assert.equal(own.headers.get('cache-control'), 'private, no-cache, no-transform')
    await alice.library.update({ id: item.id, visibility: 'public' })
    assert.equal((await anonymous.library.file(asked)).headers.get('cache-control'), LASTING)
  })

  it('of hidden items and of blocked owners are not found', async (world) => {
    const { alice, bob, admin, moderator, anonymous } = world
    const item = await publishVersions(alice, 'Digest', ['1.0.0'])
    const asked = { kind: 'workflow', slug: 'digest', version: '1.0.0' }
    await bob.reports.create({ targetType: 'item', targetId: item.id, reason: 'spam' })
    const { id } = (await moderator.moderation.cases({})).items[0]!
    await moderator.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'Spam' })
    await assert.rejects(anonymous.library.file(asked), { status: 404 })
    await assert.rejects(bob.library.file(asked), { status: 404 })
    assert.match((await alice.library.file(asked)).headers.get('cache-control')!, /^private/)
    await publishVersions(bob, 'Other', ['1.0.0'])
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    await assert.rejects(anonymous.library.file({ ...asked, slug: 'other' }), { status: 404 })
    assert.equal((await anonymous.library.resolve({ items: [{ name: 'workflow/other' }] })).items[0]!.found, false)
  })

  it('of every kind have names', async ({ alice, anonymous }) => {
    await alice.library.publish({
      kind: 'automation',
      visibility: 'public',
      file: automationFile({ version: '1.2.0' }),
    })
    await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    const { items } = await anonymous.library.list({})
    for (const { kind, slug, sha256: hash, version } of items) {
      const response = await anonymous.library.file({ kind, slug, version })
      assert.equal(sha256(await response.arrayBuffer()), hash, kind)
    }
    assert.equal(items.length, 2)
  })

  it('do not answer to tokens less than to anonymous users', async ({ alice, app, dependencies }) => {
    await publishVersions(alice, 'Digest', ['1.0.0'])
    const { baseUrl } = dependencies.config
    const stranger = connect(api, { baseUrl, token: 'made-up', fetch: (request) => app.fetch(request) })
    assert.equal((await stranger.library.file({ kind: 'workflow', slug: 'digest', version: 'latest' })).status, 200)
  })

  it('leave the artifact route as it was: it asks for a credential', async ({ alice, anonymous }) => {
    const { id } = await publishVersions(alice, 'Digest', ['1.0.0'])
    await assert.rejects(anonymous.library.download({ id }), { status: 401, code: 'unauthorized' })
  })
})

onEveryEngine(
  'files by name where downloads need a credential',
  (it) => {
    it('ask for one, and are cached by no one else', async ({ alice, bob, anonymous }) => {
      await publishVersions(alice, 'Digest', ['1.0.0'])
      const asked = { kind: 'workflow', slug: 'digest', version: '1.0.0' }
      await assert.rejects(anonymous.library.file(asked), { status: 401, code: 'unauthorized' })
      await assert.rejects(anonymous.library.file({ ...asked, slug: 'missing' }), { status: 401 })
      const response = await bob.library.file(asked)
      assert.equal(response.headers.get('cache-control'), 'private, no-cache, no-transform')
      assert.equal((await anonymous.library.resolve({ items: [{ name: 'workflow/digest' }] })).items[0]!.found, true)
    })
  },
  { PUBLIC_DOWNLOADS: 'off' },
)
