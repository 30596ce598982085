// Files of items by their names, and what many names mean.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { type It, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { api } from '../../api.ts'
import { connect } from '../../surfaces/client.ts'
import { wantedOf } from './choosing.ts'
import { ItemVersions } from './versions.ts'

const LASTING = 'public, max-age=31536000, immutable, no-transform'

/** A workflow with these versions, each a file of its own. */
async function publish(
  by: Person,
  name: string,
  versions: readonly string[],
  visibility: 'public' | 'private' = 'public',
) {
  const [first, ...others] = versions
  const file = (version: string) => workflowFile({ name, description: `Version ${version}` })
  const item = await by.library.publish({ kind: 'workflow', visibility, version: first!, file: file(first!) })
  for (const version of others) await by.library.publishVersion({ id: item.id, version, file: file(version) })
  return item
}

const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex')

/** A path below /api as anonymous users request it, or a person. */
const get = (by: Person, path: string, init?: RequestInit) => by.request(`/api/library/${path}`, init)

async function meant({ anonymous }: World, version: string) {
  return (await anonymous.library.file({ kind: 'workflow', slug: 'digest', version })).headers.get('x-library-version')
}

const files = (it: It) => {
  it('come without a credential, by version, range and latest', async (world) => {
    await publish(world.alice, 'Digest', ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0', '2.0.0-rc.1'])
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
    const item = await publish(alice, 'Digest', ['1.0.0'])
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
    const item = await publish(alice, 'Digest', ['1.0.0', '1.1.0'])
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
    const item = await publish(alice, 'Digest', ['1.0.0'], 'private')
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
    const item = await publish(alice, 'Digest', ['1.0.0'])
    const asked = { kind: 'workflow', slug: 'digest', version: '1.0.0' }
    await bob.reports.create({ targetType: 'item', targetId: item.id, reason: 'spam' })
    const { id } = (await moderator.moderation.cases({})).items[0]!
    await moderator.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'Spam' })
    await assert.rejects(anonymous.library.file(asked), { status: 404 })
    await assert.rejects(bob.library.file(asked), { status: 404 })
    assert.match((await alice.library.file(asked)).headers.get('cache-control')!, /^private/)
    await publish(bob, 'Other', ['1.0.0'])
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
    await publish(alice, 'Digest', ['1.0.0'])
    const { baseUrl } = dependencies.config
    const stranger = connect(api, { baseUrl, token: 'made-up', fetch: (request) => app.fetch(request) })
    assert.equal((await stranger.library.file({ kind: 'workflow', slug: 'digest', version: 'latest' })).status, 200)
  })

  it('leave the artifact route as it was: it asks for a credential', async ({ alice, anonymous }) => {
    const { id } = await publish(alice, 'Digest', ['1.0.0'])
    await assert.rejects(anonymous.library.download({ id }), { status: 401, code: 'unauthorized' })
  })
}

const names = (it: It) => {
  it('mean versions, in the order in which they are asked', async (world) => {
    const { alice, anonymous } = world
    const item = await publish(alice, 'Digest', ['1.0.0', '1.1.0', '2.0.0-rc.1'])
    await publish(alice, 'Notes', ['0.1.0'])
    const { items } = await anonymous.library.resolve({
      items: [
        { name: 'workflows/digest', version: '^1' },
        { name: 'workflow/notes' },
        { name: 'workflow/digest', version: '1.0.0' },
        { name: 'workflow/digest', version: '>=2.0.0-rc' },
        { name: 'workflow/digest', version: '^3' },
        { name: 'workflow/digest', version: 'newest' },
        { name: 'workflow/missing' },
        { name: 'workflow' },
        { name: 'tool/digest' },
        { name: 'org/digest' },
      ],
    })
    const outcome = items.map((one) => (one.found ? `${one.slug} ${one.version}` : one.reason))
    const none = ['no_version', 'invalid_version', 'not_found', 'invalid_name', 'invalid_name', 'not_found']
    assert.deepEqual(outcome, ['digest 1.1.0', 'notes 0.1.0', 'digest 1.0.0', 'digest 2.0.0-rc.1', ...none])
    const [first] = items
    assert.ok(first?.found)
    const { sha256: hash, size } = (await anonymous.library.versions({ id: item.id })).versions.find(
      ({ version }) => version === '1.1.0',
    )!
    const file_url = 'http://localhost:3000/api/library/workflow/digest/1.1.0/file'
    const { id } = item
    const expected = { name: 'workflows/digest', found: true, id, kind: 'workflow', slug: 'digest', version: '1.1.0' }
    assert.deepEqual(first, { ...expected, sha256: hash, size, file_url, yanked: false })
    const response = await anonymous.request(new URL(file_url).pathname)
    assert.equal(sha256(await response.arrayBuffer()), hash)
  })

  it('mean no yanked version, unless by its number', async (world) => {
    const { alice, anonymous, db } = world
    const { id } = await publish(alice, 'Digest', ['1.0.0', '1.1.0', '1.2.0'])
    await db
      .updateTable('itemVersion')
      .set({ yankedAt: '2026-11-20T00:00:00.000Z' })
      .where('version', '=', '1.2.0')
      .execute()
    const ask = ['^1', 'latest', '1.2.0', '~1.2']
    const { items } = await anonymous.library.resolve({
      items: ask.map((version) => ({ name: 'workflow/digest', version })),
    })
    const outcome = items.map((one) => (one.found ? [one.version, one.yanked] : one.reason))
    assert.deepEqual(outcome, [['1.1.0', false], ['1.1.0', false], ['1.2.0', true], 'no_version'])
    assert.deepEqual(
      [await meant(world, '^1'), await meant(world, 'latest'), await meant(world, '1.2.0')],
      ['1.1.0', '1.1.0', '1.2.0'],
    )
    await db
      .updateTable('libraryItem')
      .set({ deprecation: 'Old', successor: 'workflow/new' })
      .where('id', '=', id)
      .execute()
    const [told] = (await anonymous.library.resolve({ items: [{ name: 'workflow/digest' }] })).items
    assert.deepEqual(told?.found && told.deprecated, { message: 'Old', successor: 'workflow/new' })
  })

  it('of private items are found by their owner alone', async ({ alice, bob, anonymous, admin }) => {
    await publish(alice, 'Digest', ['1.0.0'], 'private')
    const ask = async (person: Person) =>
      (await person.library.resolve({ items: [{ name: 'workflow/digest' }] })).items[0]
    for (const person of [bob, admin, anonymous]) {
      assert.deepEqual(await ask(person), { name: 'workflow/digest', found: false, reason: 'not_found' })
    }
    assert.equal((await ask(alice))!.found, true)
  })

  it('are 1 to 50 in a request, each of a bounded length', async ({ anonymous }) => {
    const ask = (count: number, name = 'workflow/x', version?: string) =>
      anonymous.library.resolve({ items: Array.from({ length: count }, () => ({ name, ...(version && { version }) })) })
    assert.equal((await ask(50)).items.length, 50)
    assert.equal((await ask(1, 'x'.repeat(220))).items.length, 1)
    assert.equal((await ask(1, 'workflow/x', '1'.repeat(256))).items.length, 1)
    const refused = { status: 400, code: 'invalid_request' }
    const wrong = [
      () => ask(0),
      () => ask(51),
      () => ask(1, 'x'.repeat(221)),
      () => ask(1, 'workflow/x', '1'.repeat(257)),
    ]
    for (const asked of wrong) await assert.rejects(asked, refused)
  })

  it('find versions further back than the newest that are read at once', async (world) => {
    const { alice, anonymous, db } = world
    const { id } = await publish(alice, 'Digest', ['0.1.0'])
    const { sha256: hash, size, created_at: createdAt } = (await anonymous.library.versions({ id })).versions[0]!
    const older = Array.from({ length: 1_100 }, (_, at) => `1.0.${at}`)
    const rows = [...older, '2.0.0-a', '2.0.0-b'].map((version, at) => ({
      ...{ itemId: id, number: at + 2, version, precedence: version, sha256: hash, size, createdAt },
    }))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('itemVersion')
        .values(rows.slice(at, at + 100))
        .execute()
    const ask = ['^0.1', '~1.0', '<1.0.5', 'latest', '1.0.1099', '>=2.0.0-a <2.0.0-b', '^7']
    const { items } = await anonymous.library.resolve({
      items: ask.map((version) => ({ name: 'workflow/digest', version })),
    })
    const expected = ['0.1.0', '1.0.1099', '1.0.4', '1.0.1099', '1.0.1099', '2.0.0-a', 'no_version']
    assert.deepEqual(
      items.map((one) => (one.found ? one.version : one.reason)),
      expected,
    )
    for (const [at, version] of ask.slice(0, -1).entries()) assert.equal(await meant(world, version), expected[at]!)
    assert.equal((await new ItemVersions(db, id).choose(wantedOf('latest')!))!.version, '1.0.1099')
  })
}

onEveryEngine('files by name', files)
onEveryEngine('names', names)

onEveryEngine(
  'files by name where downloads need a credential',
  (it) => {
    it('ask for one, and are cached by no one else', async ({ alice, bob, anonymous }) => {
      await publish(alice, 'Digest', ['1.0.0'])
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
