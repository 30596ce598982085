// Who may read the marketplace, and what is refused there.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { withGit } from '../../../test/git.ts'
import { publishServer } from '../../../test/mcp-registry.ts'
import { line } from '../../../test/packets.ts'
import { setReaders } from '../../../test/private-world.ts'
import { skillFile } from '../../../test/skills.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { putSetting } from '../../settings/queries.ts'
import { MAX_REQUEST_BYTES } from '../../surfaces/http/git-paths.ts'

const REFS = '/marketplace.git/info/refs?service=git-upload-pack'
const UPLOAD = '/marketplace.git/git-upload-pack'
const LIST = '/.claude-plugin/marketplace.json'
const TYPE = 'application/x-git-upload-pack-request'

const publish = (person: Person) => person.library.publish({ kind: 'skill', file: skillFile(), visibility: 'public' })

async function set({ db, dependencies }: World, name: string, value: string): Promise<void> {
  const setting = { name, value, actorId: null, changedAt: '2026-01-01T00:00:00.000Z' }
  await db.transaction().execute((transaction) => putSetting(transaction, setting))
  await dependencies.settings.reload()
}

const headIn = (text: string) => /([0-9a-f]{40}) HEAD/.exec(text)?.[1] ?? ''

interface Post {
  body: string | Buffer
  headers?: Record<string, string>
}

/** What is answered to a request of git; the pack is cut off. */
async function post(person: Person, { body, headers = {} }: Post) {
  const sent = typeof body === 'string' ? body : new Uint8Array(body)
  const response = await person.request(UPLOAD, {
    method: 'POST',
    body: sent,
    headers: { 'Content-Type': TYPE, ...headers },
  })
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status: response.status, text: text.replace(/PACK.*/s, 'PACK'), headers: response.headers }
}

const V2 = { 'Git-Protocol': 'version=2' }
const command = (name: string, ...args: string[]) =>
  `${line(`command=${name}\n`)}${line('object-format=sha1')}0001${args.map((one) => line(`${one}\n`)).join('')}0000`

const basic = (user: string, token: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
})

onEveryEngine('the marketplace, for who reads it', (it) => {
  it('answers both protocols as git asks', async ({ alice, anonymous }) => {
    await publish(alice)
    const advertised = await (await anonymous.request(REFS)).text()
    const head = headIn(advertised)
    assert.match(advertised, /^001e# service=git-upload-pack\n0000/)
    const second = await anonymous.request(REFS, { headers: V2 })
    assert.equal(second.headers.get('content-type'), 'application/x-git-upload-pack-advertisement')
    assert.match(await second.text(), /^000eversion 2\n/)
    const want = line(`want ${head} side-band-64k\n`)
    const [done, have] = [line('done\n'), line(`have ${'1'.repeat(40)}\n`)]
    const zero: [string, RegExp][] = [
      ['', /^$/],
      ['0000', /^$/],
      [`${want}0000${done}`, /^0008NAK\n[0-9a-f]{4}.PACK/],
      [`${line(`want ${head}\n`)}0000${done}`, /^0008NAK\nPACK/],
      [`${want}${line('deepen 1')}0000`, /^0000$/],
      [`${want}${line('deepen 1')}0000${done}`, /^00000008NAK\n.*PACK/s],
      [`${want}0000${have}0000`, /^0008NAK\n$/],
      [`${want}0000${have}${done}`, /^0008NAK\n.*PACK/s],
    ]
    for (const [body, expected] of zero) assert.match((await post(anonymous, { body })).text, expected, body)
    const two: [string, RegExp][] = [
      ['0000', /^$/],
      [
        command('ls-refs', 'symrefs', 'peel', 'ref-prefix HEAD'),
        new RegExp(`${head} HEAD symref-target:refs/heads/main\n`),
      ],
      [command('fetch', `want ${head}`, 'done'), /^000dpackfile\n.*PACK/s],
      [command('fetch', `want ${head}`, 'deepen 1', 'done'), /^0011shallow-info\n0001000dpackfile\n/],
      [command('fetch', `want ${head}`, `have ${'2'.repeat(40)}`), /^0014acknowledgments\n0008NAK\n0000$/],
    ]
    for (const [body, expected] of two)
      assert.match((await post(anonymous, { body, headers: V2 })).text, expected, body)
    const packed = gzipSync(command('ls-refs'))
    const zipped = await post(anonymous, { body: packed, headers: { ...V2, 'Content-Encoding': 'gzip' } })
    assert.match(zipped.text, /refs\/heads\/main/)
  })

  it('refuses what it does not have, and what is none of git', async ({ alice, anonymous }) => {
    await publish(alice)
    const head = headIn(await (await anonymous.request(REFS)).text())
    const tree = 'f'.repeat(40)
    const error = /^[0-9a-f]{4}ERR upload-pack: /
    const depths = ['0', '-1', '01', '1.5', 'x', '2147483648', '99999999999']
    for (const depth of depths) {
      const body = `${line(`want ${head}\n`)}${line(`deepen ${depth}\n`)}0000${line('done\n')}`
      assert.match((await post(anonymous, { body })).text, error, depth)
      const two = { body: command('fetch', `want ${head}`, `deepen ${depth}`, 'done'), headers: V2 }
      assert.match((await post(anonymous, two)).text, error, depth)
    }
    for (const depth of ['1', '2', '2147483647']) {
      const two = { body: command('fetch', `want ${head}`, `deepen ${depth}`, 'done'), headers: V2 }
      assert.match((await post(anonymous, two)).text, /PACK/, depth)
    }
    const wrong = [
      ...[`${line(`want ${tree}\n`)}0000${line('done\n')}`, line(`want ${head}\n`), `${line('have x\n')}0000`],
      ...[`${line(`want ${head} object-format=sha256\n`)}0000${line('done\n')}`, `${line(`want ${head}\n`)}00010000`],
      ...[`${line(`want ${head}\n`)}${line('filter blob:none\n')}0000${line('done\n')}`],
    ]
    for (const body of wrong) assert.match((await post(anonymous, { body })).text, error, body)
    const wrongCommands = [
      ...[
        command('fetch', `want ${tree}`, 'done'),
        command('fetch', 'done'),
        command('fetch', `want ${head.slice(1)}`),
      ],
      ...[
        command('object-info', `oid ${head}`),
        command('fetch', 'want-ref refs/heads/main', 'done'),
        line('command=fetch'),
      ],
      ...[`${command('ls-refs')}${command('ls-refs')}`, command('fetch', `want ${head}`, 'deepen-since 1', 'done')],
    ]
    for (const body of wrongCommands) assert.match((await post(anonymous, { body, headers: V2 })).text, error, body)
    for (const body of [
      '0',
      '00',
      'zzzz',
      '0002',
      '0003',
      '0004',
      '0005',
      'fff1',
      'PACK',
      '000',
      '0000000',
      '\0\0\0\0',
      '-001',
    ])
      for (const headers of [{}, V2]) assert.equal((await post(anonymous, { body, headers })).status, 400, body)
    for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded'])
      assert.equal((await post(anonymous, { body: '0000', headers: { 'Content-Type': type } })).status, 400, type)
    const encodings = { br: '0000', deflate: '0000', gzip: '0000' }
    for (const [encoding, body] of Object.entries(encodings))
      assert.equal((await post(anonymous, { body, headers: { 'Content-Encoding': encoding } })).status, 400, encoding)
  })

  it('reads requests up to a limit, packed or not', async ({ alice, anonymous }) => {
    await publish(alice)
    const whole = command('ls-refs', ...Array.from({ length: 1200 }, () => `ref-prefix refs/heads/${'x'.repeat(24)}`))
    const pad = MAX_REQUEST_BYTES - whole.length - 4
    const full = `${whole.slice(0, -4) + line('y'.repeat(pad))}0000`
    assert.equal(full.length, MAX_REQUEST_BYTES)
    const longer = `${full.slice(0, -4) + line('y')}0000`
    const over = `${full.slice(0, -(pad + 8)) + line('y'.repeat(pad + 1))}0000`
    assert.deepEqual([over.length, longer.length > over.length], [MAX_REQUEST_BYTES + 1, true])
    for (const [body, status] of [
      [full, 200],
      [over, 413],
      [longer, 413],
    ] as const) {
      assert.equal((await post(anonymous, { body, headers: V2 })).status, status)
      const headers = { ...V2, 'Content-Encoding': 'gzip' }
      assert.equal((await post(anonymous, { body: gzipSync(body), headers })).status, status)
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    assert.equal((await post(anonymous, { body: bomb, headers: { 'Content-Encoding': 'gzip' } })).status, 413)
  })

  it('is for reading, and has no other paths', async (world) => {
    const { alice, anonymous } = world
    await publish(alice)
    for (const path of ['/marketplace.git/info/refs?service=git-receive-pack', '/marketplace.git/git-receive-pack'])
      assert.equal((await alice.request(path)).status, 403, path)
    const body = { method: 'POST', body: '0000', headers: { 'Content-Type': TYPE } }
    assert.equal((await alice.request('/marketplace.git/git-receive-pack', body)).status, 403)
    for (const query of ['', '?service=', '?service=git-upload-archive'])
      assert.equal((await anonymous.request(`/marketplace.git/info/refs${query}`)).status, 400, query)
    for (const path of ['', '/', '/HEAD', '/objects/info/packs', '/config', '/../etc'])
      assert.ok((await anonymous.request(`/marketplace.git${path}`)).status >= 400, path)
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal((await anonymous.request(UPLOAD, { method })).status, 405)
    await withGit(world, async ({ git, tryGit, url }) => {
      await git('clone', '--quiet', `${url}/marketplace.git`, 'a')
      const pushed = await tryGit('-C', 'a', 'push', 'origin', 'main:other')
      assert.notEqual(pushed.code, 0)
      assert.match(pushed.output, /403/)
    })
  })

  it('is for accounts on a private instance, and git sends a token as a password', async (world) => {
    const { alice, anonymous, bob } = world
    await publish(alice)
    const { token } = await alice.personalTokens.create({ name: 'Git', scopes: ['library:read'] })
    const other = await alice.personalTokens.create({ name: 'Other', scopes: ['community:read'] })
    await bob.account()
    const email = (await alice.account()).email ?? alice.email
    await setReaders(world, 'members')
    const refused = await anonymous.request(REFS)
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('www-authenticate') ?? '', /Bearer .*Basic realm="Guildhall"/)
    assert.doesNotMatch(await refused.text(), /[0-9a-f]{40}|pdf/)
    assert.equal((await post(anonymous, { body: '0000' })).status, 401)
    const list = await anonymous.request(LIST)
    assert.deepEqual([list.status, /Basic/.test(list.headers.get('www-authenticate') ?? '')], [401, false])
    const statusWith = async (headers: Record<string, string>) => (await anonymous.request(REFS, { headers })).status
    assert.equal((await bob.request(REFS)).status, 200)
    assert.equal(await statusWith({ Authorization: `Bearer ${token}` }), 200)
    for (const user of ['', 'x', 'oauth2', email]) assert.equal(await statusWith(basic(user, token)), 200, user)
    assert.equal(await statusWith(basic('x', other.token)), 403)
    const wrong = [
      basic(token, ''),
      basic('x', `${token}x`),
      basic(email, 'correct horse battery'),
      basic('', `a:${token}`),
    ]
    for (const headers of [
      ...wrong,
      { Authorization: 'Basic' },
      { Authorization: 'Basic ====' },
      { Authorization: `Basic ${token}` },
    ])
      assert.equal(await statusWith(headers), 401, headers.Authorization)
    assert.equal((await anonymous.request('/api/library/items', { headers: basic('x', token) })).status, 401)
    await withGit(world, async ({ git, tryGit, url }) => {
      assert.notEqual((await tryGit('clone', `${url}/marketplace.git`, 'a')).code, 0)
      for (const protocol of [0, 2]) {
        const from = url.replace('//', `//git:${token}@`)
        await git('-c', `protocol.version=${protocol}`, 'clone', '--quiet', `${from}/marketplace.git`, `b${protocol}`)
      }
      const header = `http.extraHeader=Authorization: Bearer ${token}`
      await git('-c', header, 'clone', '--quiet', '--depth', '1', `${url}/marketplace.git`, 'c')
    })
    const allowed = await anonymous.request(REFS, { headers: basic('x', token) })
    assert.doesNotMatch(allowed.headers.get('cache-control') ?? '', /public/)
  })

  it('has the parts that are on, and is gone without them', async (world) => {
    const { alice, anonymous } = world
    await publish(alice)
    await publishServer(alice)
    const names = async () =>
      JSON.parse(await (await anonymous.request(LIST)).text()).plugins.map(({ name }: { name: string }) =>
        name.slice(0, 5),
      )
    assert.deepEqual(await names(), ['mcp-s', 'skill'])
    await set(world, 'PARTS_OFF', 'mcp-servers')
    assert.deepEqual(await names(), ['skill'])
    await set(world, 'PARTS_OFF', 'skills')
    assert.deepEqual(await names(), ['mcp-s'])
    await set(world, 'PARTS_OFF', 'skills,mcp-servers')
    for (const path of [REFS, LIST, '/marketplace.git/git-receive-pack'])
      assert.equal((await alice.request(path)).status, 404, path)
    assert.equal((await post(anonymous, { body: '0000' })).status, 404)
  })

  it('shows nothing of a blocked account, also under the commit that had it', async (world) => {
    const { alice, admin, anonymous } = world
    await publish(alice)
    const before = await (await anonymous.request(REFS)).text()
    await admin.admin.block({ id: (await alice.account()).id, blocked: true })
    const after = await (await anonymous.request(REFS)).text()
    assert.notEqual(headIn(after), headIn(before))
    const old = await post(anonymous, { body: command('fetch', `want ${headIn(before)}`, 'done'), headers: V2 })
    assert.match(old.text, /ERR upload-pack: not our ref/)
  })
})

onEveryEngine(
  'the marketplace where files need an account',
  (it) => {
    it('has its list for everybody, and its files for accounts', async ({ alice, bob, anonymous }) => {
      await publish(alice)
      assert.equal((await anonymous.request(LIST)).status, 200)
      assert.equal((await anonymous.request(REFS)).status, 401)
      assert.equal((await post(anonymous, { body: '0000' })).status, 401)
      assert.equal((await bob.request(REFS)).status, 200)
      const { token } = await bob.personalTokens.create({ name: 'Git', scopes: ['library:read'] })
      assert.equal((await anonymous.request(REFS, { headers: basic('x', token) })).status, 200)
    })
  },
  { PUBLIC_DOWNLOADS: 'off' },
)
