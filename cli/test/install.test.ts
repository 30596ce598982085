// Installing, updating and removing, against a server that listens.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { automationFile, orgFile, workflowFile } from '../../test/library.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { Person } from '../../test/world.ts'
import { allowArgument, readAllowed } from '../src/consent.ts'
import { guildhall } from './run-cli.ts'
import { onTerminal, type Terminal } from './terminal.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** A workflow that gets these sites. */
const fileFor = (...sites: string[]) =>
  workflowFile({
    name: 'Digest',
    nodes: sites.map((site, n) => ({
      id: `n${n}`,
      type: 'http.get',
      name: `Get ${n}`,
      config: { url: `https://${site}/` },
    })),
    connections: [],
    automations: {},
    unbundledAutomations: {},
  })

/** workflow/digest with these versions and the sites that each gets. */
async function publish(by: Person, versions: Record<string, string[]>): Promise<void> {
  let id: string | undefined
  for (const [version, sites] of Object.entries(versions)) {
    const file = fileFor(...sites)
    if (id === undefined) {
      id = (await by.library.publish({ kind: 'workflow', visibility: 'public', version, file })).id
    } else await by.library.publishVersion({ id, version, file })
  }
}

const homeOf = ({ home }: Terminal, name = 'items') => join(home, name)
const at = (terminal: Terminal, more: { name?: string; isTerminal?: boolean; expected?: number } = {}) => {
  const { name = 'items', ...rest } = more
  return { environment: { GUILDHALL_HOME: homeOf(terminal, name), GUILDHALL_URL: terminal.server }, ...rest }
}

async function lockOf(terminal: Terminal, name = 'items') {
  return JSON.parse(await readFile(join(homeOf(terminal, name), 'guildhall.lock'), 'utf8'))
}

const digest = (terminal: Terminal, name = 'items') =>
  readFile(join(homeOf(terminal, name), 'workflows/digest/digest.json'), 'utf8')

/** Answers the question that is asked first. */
const answering = (answer: string, question: string) => {
  let isAnswered = false
  return (errors: string, type: (line: string) => void) => {
    if (isAnswered || !errors.includes(question)) return
    isAnswered = true
    type(answer)
  }
}

describe('install', () => {
  onTerminal('puts every kind below GUILDHALL_HOME byte for byte, without a credential', async (terminal) => {
    const { world, run, json } = terminal
    const { alice } = world
    const files = { workflow: fileFor('a.example'), org: orgFile({ name: 'Desk' }), automation: automationFile() }
    const paths: string[] = []
    const names: string[] = []
    for (const [kind, file] of Object.entries(files)) {
      const { slug } = await alice.library.publish({ kind, visibility: 'public', file })
      names.push(`${kind}/${slug}`)
      paths.push(join(homeOf(terminal), `${kind}s`, slug, `${slug}.${kind === 'automation' ? 'mpkg' : 'json'}`))
    }
    const { output, errors } = await run(['install', ...names], at(terminal))
    assert.match(output, /^workflow\/digest 1\.0\.0 installed: \/.*digest\.json$/m)
    assert.match(errors, /workflow\/digest 1\.0\.0 may use:\n {2}site: a\.example\n/)
    const lock = await lockOf(terminal)
    for (const [n, file] of Object.values(files).entries()) {
      const bytes = Buffer.from(await file.arrayBuffer())
      assert.deepEqual(await readFile(paths[n]!), bytes)
      assert.equal(lock.items[names[n]!].sha256, sha256(bytes))
    }
    const { key, ...digested } = lock.items['workflow/digest']
    assert.match(key, /^127\.0\.0\.1:\d+\/log\+/)
    assert.deepEqual(digested, {
      version: '1.0.0',
      range: 'latest',
      sha256: sha256(await digest(terminal)),
      url: `${terminal.server}/api/library/workflow/digest/1.0.0/file`,
      permissions: ['site:a.example', 'step:http.get'],
    })
    const listed = await json<{ name: string; state: string }[]>(['list'], at(terminal))
    assert.deepEqual(
      listed.map(({ name, state }) => `${name} ${state}`).sort(),
      names.map((n) => `${n} installed`).sort(),
    )
    assert.match((await run(['install', 'workflow/digest'], at(terminal))).output, /unchanged/)
  })

  onTerminal('chooses by version and range, and refuses what is not there as a whole', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.2.0': ['a.example', 'a.example'], '2.0.0': ['b.example'] })
    await run(['install', 'workflows/digest@^1'], at(terminal))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].version, '1.2.0')
    await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name: 'other' }))
    assert.equal((await lockOf(terminal, 'other')).items['workflow/digest'].version, '1.0.0')
    const words = ['install', 'workflow/digest', 'workflow/none', 'workflow/digest@^3']
    assert.match(
      (await run(['install', 'workflow/none', 'org/digest@^3'], at(terminal, { expected: 1 }))).errors,
      /none@latest: not there.*\norg\/digest@\^3/,
    )
    await run(words, at(terminal, { name: 'third', expected: 2 }))
    await run(['install', 'workflow/digest', 'workflow/none'], at(terminal, { name: 'third', expected: 1 }))
    assert.deepEqual((await readdir(terminal.home)).sort(), ['items', 'other'])
    for (const word of [
      'digest',
      'workflow/',
      'bug/digest',
      'workflow/../x',
      'workflow/digest@',
      'workflow/a/b',
      'workflow/A',
    ]) {
      await run(['install', word], at(terminal, { expected: 2 }))
    }
  })

  onTerminal('without names gives the same bytes from the lock, and refuses another hash', async (terminal) => {
    const { world, run, home } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'b.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const lock = await lockOf(terminal)
    const write = async (name: string, change: object) => {
      const items = { 'workflow/digest': { ...lock.items['workflow/digest'], ...change } }
      await mkdir(homeOf(terminal, name), { recursive: true })
      await writeFile(join(home, name, 'guildhall.lock'), JSON.stringify({ ...lock, items }))
    }
    await write('same', {})
    await run(['install'], { environment: { GUILDHALL_HOME: homeOf(terminal, 'same') } })
    assert.equal(await digest(terminal, 'same'), await digest(terminal))
    assert.deepEqual(await lockOf(terminal, 'same'), lock)

    await write('hash', { sha256: '0'.repeat(64) })
    assert.match((await run(['install'], at(terminal, { name: 'hash', expected: 1 }))).errors, /SHA-256/)
    assert.match(
      (await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name: 'hash', expected: 1 }))).errors,
      /another hash/,
    )
    await write('more', { permissions: [] })
    assert.match((await run(['install'], at(terminal, { name: 'more', expected: 1 }))).errors, /site: a\.example/)
    for (const name of ['hash', 'more'])
      assert.deepEqual(await readdir(homeOf(terminal, name)), ['guildhall.lock', 'workflows'])

    for (const change of [
      { url: `${terminal.server}/api/library/workflow/other/1.0.0/file` },
      { url: `${terminal.server}/elsewhere` },
      { sha256: 'x' },
      { permissions: 'all' },
      { version: 1 },
    ]) {
      await write('broken', change)
      assert.match((await run(['install'], at(terminal, { name: 'broken', expected: 1 }))).errors, /cannot be read/)
    }
    for (const text of [
      '{',
      '[]',
      '{"lockfileVersion":2,"items":{}}',
      '{"lockfileVersion":1,"items":{"workflow/../../x":{}}}',
    ]) {
      await writeFile(join(homeOf(terminal, 'broken'), 'guildhall.lock'), text)
      assert.equal(
        JSON.parse((await run(['list', '--json'], at(terminal, { name: 'broken', expected: 1 }))).errors).error.code,
        'lock',
      )
    }
  })

  onTerminal('asks before a first install at a terminal alone', async (terminal) => {
    await publish(terminal.world.alice, { '1.0.0': ['a.example'] })
    const given = at(terminal, { isTerminal: true })
    await terminal.run(['install', 'workflow/digest'], { ...given, expected: 1, onErrors: answering('n', 'Install?') })
    assert.deepEqual(await readdir(homeOf(terminal)), ['workflows'])
    await terminal.run(['install', 'workflow/digest'], { ...given, onErrors: answering('y', 'Install?') })
    await terminal.run(['install', 'workflow/digest', '--yes'], { ...at(terminal, { name: 'yes', isTerminal: true }) })
  })

  onTerminal('is right when several run at once', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    await world.alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    await Promise.all([run(['install', 'workflow/digest'], at(terminal)), run(['install', 'org/desk'], at(terminal))])
    assert.deepEqual(Object.keys((await lockOf(terminal)).items), ['org/desk', 'workflow/digest'])
    assert.equal((await run(['list'], at(terminal))).output.match(/desk\.json|digest\.json/g)?.length, 2)
  })
})

describe('a version that may do more', () => {
  onTerminal('is refused without a terminal, and told what to allow', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'b.example', 'c.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const before = await digest(terminal)
    const lock = await lockOf(terminal)
    const refused = { ...at(terminal, { expected: 1 }) }
    for (const words of [[], ['--yes'], ['--force'], ['--yes', '--force', '--allow', 'site:b.example,script']]) {
      const { errors } = await run(['install', 'workflow/digest', ...words], refused)
      assert.match(errors, /^workflow\/digest 1\.1\.0 may do more than 1\.0\.0:\n[\s\S]* \+ site: c\.example\n/)
      assert.match(errors, words.length < 4 ? /--allow site:b\.example,site:c\.example$/m : /--allow site:c\.example$/m)
      assert.doesNotMatch(errors, /\+ site: a\.example/)
    }
    const { error } = JSON.parse(
      (await run(['install', 'workflow/digest', '--json'], refused)).errors.split('\n').at(-2)!,
    )
    assert.deepEqual(error.details, [
      { name: 'workflow/digest', from: '1.0.0', to: '1.1.0', added: ['site:b.example', 'site:c.example'] },
    ])
    assert.equal(await digest(terminal), before)
    assert.deepEqual(await lockOf(terminal), lock)
    assert.deepEqual(await readdir(join(homeOf(terminal), 'workflows/digest')), ['digest.json'])
    await run(['install', 'workflow/digest', '--allow', 'site:b.example', '--allow', 'site:c.example'], at(terminal))
    assert.deepEqual((await lockOf(terminal)).items['workflow/digest'].permissions, [
      'site:a.example',
      'site:b.example',
      'site:c.example',
      'step:http.get',
    ])
    await run(['install', 'workflow/digest', '--allow', 'sites:b'], at(terminal, { expected: 2 }))
  })

  onTerminal('is installed when the person says yes, or allows the type', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['b.example'] })
    for (const name of ['asked', 'allowed']) await run(['install', 'workflow/digest@1.0.0'], at(terminal, { name }))
    const asked = at(terminal, { name: 'asked', isTerminal: true })
    for (const answer of ['n', '', 'yeah'])
      await run(['install', 'workflow/digest', '--yes'], {
        ...asked,
        expected: 1,
        onErrors: answering(answer, 'Allow all'),
      })
    await run(['install', 'workflow/digest'], { ...asked, onErrors: answering('Yes', 'Allow all') })
    await run(['install', 'workflow/digest', '--allow', 'site'], at(terminal, { name: 'allowed' }))
    for (const name of ['asked', 'allowed']) assert.match(await digest(terminal, name), /b\.example/)
  })
})

describe('update and outdated', () => {
  onTerminal('go to the newest version of the range, and stop where it may do more', async (terminal) => {
    const { world, run, json } = terminal
    const { alice } = world
    await publish(alice, { '1.0.0': ['a.example'] })
    await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Desk' }) })
    await run(['install', 'workflow/digest@^1', 'org/desk'], at(terminal))
    assert.match((await run(['outdated'], at(terminal))).output, /up to date/)
    const { id } = await alice.library.find({ kind: 'workflow', slug: 'digest' })
    const next = (version: string, ...sites: string[]) =>
      alice.library.publishVersion({ id, version, file: fileFor(...sites) })
    await next('1.1.0', 'a.example', 'a.example')
    await next('2.0.0', 'z.example')
    assert.match(
      (await run(['outdated'], at(terminal))).output,
      /^workflow\/digest {2}1\.0\.0 {2}in \^1: 1\.1\.0 {2}latest: 2\.0\.0$/m,
    )
    const updated = await run(['update'], at(terminal))
    assert.match(updated.output, /workflow\/digest 1\.0\.0 -> 1\.1\.0 updated/)
    assert.match(updated.output, /org\/desk 1\.0\.0 unchanged/)
    assert.equal((await lockOf(terminal)).items['workflow/digest'].range, '^1')
    await next('2.1.0', 'z.example')
    assert.match((await run(['update', 'workflow/digest'], at(terminal))).output, /unchanged/)
    await run(['install', 'workflow/digest@>=1'], at(terminal, { expected: 1 }))
    assert.equal((await json<unknown[]>(['outdated', 'workflow/digest'], at(terminal))).length, 1)
    assert.equal((await json<unknown[]>(['outdated', 'org/desk'], at(terminal))).length, 0)
    await run(['update', 'org/none'], at(terminal, { expected: 2 }))
  })
})

describe('what was changed by hand', () => {
  onTerminal('is not lost without a yes, in install, update and remove', async (terminal) => {
    const { world, run } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'a.example'] })
    await run(['install', 'workflow/digest@1.0.0'], at(terminal))
    const path = join(homeOf(terminal), 'workflows/digest/digest.json')
    const mine = `${await digest(terminal)}\n`
    await writeFile(path, mine)
    assert.match((await run(['list'], at(terminal))).output, /changed/)
    const lock = await lockOf(terminal)
    for (const words of [
      ['install'],
      ['install', 'workflow/digest', '--yes'],
      ['update'],
      ['remove', 'workflow/digest'],
    ]) {
      assert.match((await run(words, at(terminal, { expected: 1 }))).errors, /--force/)
    }
    const asked = at(terminal, { isTerminal: true })
    await run(['remove', 'workflow/digest'], { ...asked, expected: 1, onErrors: answering('n', 'Lose') })
    assert.equal(await digest(terminal), mine)
    assert.deepEqual(await lockOf(terminal), lock)
    await run(['install'], { ...asked, onErrors: answering('y', 'Lose') })
    assert.notEqual(await digest(terminal), mine)
    await writeFile(path, mine)
    await run(['install', 'workflow/digest', '--force'], at(terminal))
    assert.equal((await lockOf(terminal)).items['workflow/digest'].version, '1.1.0')
    await writeFile(path, mine)
    await run(['remove', 'workflow/digest', '--force'], at(terminal))
    assert.deepEqual((await lockOf(terminal)).items, {})
    assert.deepEqual(await readdir(join(homeOf(terminal), 'workflows')), [])
    await run(['remove', 'workflow/digest'], at(terminal, { expected: 2 }))
  })

  onTerminal('also where the lock knows nothing of a file', async (terminal) => {
    await publish(terminal.world.alice, { '1.0.0': ['a.example'] })
    await mkdir(join(homeOf(terminal), 'workflows/digest'), { recursive: true })
    await writeFile(join(homeOf(terminal), 'workflows/digest/digest.json'), 'mine')
    await terminal.run(['install', 'workflow/digest'], at(terminal, { expected: 1 }))
    assert.equal(await digest(terminal), 'mine')
  })
})

/** A server that says what it wants of workflow/digest. */
async function lyingServer(t: TestContext, resolved: object, file: string): Promise<string> {
  const server = createServer((request, answer) => {
    request.resume()
    if (request.method === 'POST') {
      const item = {
        found: true,
        name: 'workflow/digest',
        id: '1',
        kind: 'workflow',
        slug: 'digest',
        version: '1.0.0',
        sha256: sha256(file),
        size: file.length,
        yanked: false,
      }
      return void answer
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ items: [{ ...item, ...resolved }] }))
    }
    answer.setHeader('X-Content-SHA256', sha256(file)).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a server that lies', () => {
  const file = JSON.stringify({ name: 'Digest', nodes: [{ id: 'a', type: 'x', name: 'A' }] })
  for (const [sentence, resolved, content] of [
    ['about the hash of a file', { sha256: '0'.repeat(64) }, file],
    ['about the name of an item', { slug: '../../../escaped' }, file],
    ['about the version', { version: '../../1.0.0' }, file],
  ] as const) {
    it(`${sentence} installs nothing`, async (t) => {
      const home = await temporaryDirectory(t)
      const server = await lyingServer(t, resolved, content)
      const given = { home, environment: { GUILDHALL_HOME: join(home, 'items'), GUILDHALL_URL: server } }
      const { code, errors } = await guildhall(['install', 'workflow/digest'], given)
      assert.ok(code === 1 || code === 2, errors)
      const left = await readdir(home, { recursive: true })
      assert.deepEqual(
        left.filter((name) => !/^items(\/workflows)?$/.test(name)),
        [],
      )
    })
  }
})

describe('--allow', () => {
  it('takes types with and without names, and what it prints', () => {
    assert.deepEqual(readAllowed(['site:a.example,script', 'step:http.get']), [
      { type: 'site', name: 'a.example' },
      { type: 'script' },
      { type: 'step', name: 'http.get' },
    ])
    const names = ['a,site:evil.example', "it's", 'a\\,b', 'x:y', '*.example']
    for (const name of names) {
      const argument = allowArgument([{ type: 'script', name }])
      const unquoted = argument.startsWith("'") ? argument.slice(1, -1).replaceAll("'\\''", "'") : argument
      assert.deepEqual(readAllowed([unquoted]), [{ type: 'script', name }])
    }
    for (const text of ['sites', 'constructor', 'site a', ':x']) assert.throws(() => readAllowed([text]), /--allow/)
  })
})
