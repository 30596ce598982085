// The commands, against a server that listens.
import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { allowDevice, oauthClient } from '../../test/oauth.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { failureOf } from '../src/failure.ts'
import { guildhall } from './run-cli.ts'
import { onTerminal } from './terminal.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

describe('signing in', () => {
  onTerminal(
    'by a mailed code keeps credentials that only their owner can read, and logout revokes them',
    async (terminal) => {
      const { home, run, login, json, server } = terminal
      const { code, output } = await login()
      assert.equal(code, 0)
      assert.match(output, /Signed in to Guildhall \(http:\/\/127.0.0.1:\d+\) as profile default/)
      const path = join(home, 'config/profiles/default.json')
      assert.equal((await stat(path)).mode & 0o777, 0o600)
      const { accessToken } = JSON.parse(await readFile(path, 'utf8'))
      assert.match(
        (await run(['whoami'])).output,
        /alice <alice@example.com> at Guildhall \(http\S+\), profile default/,
      )
      assert.deepEqual((await json<{ scopes: string[] }>(['whoami'])).scopes.includes('library:write'), true)
      await run(['logout'])
      assert.deepEqual(await readdir(join(home, 'config/profiles')), [])
      assert.match((await run(['whoami', '--server', server], 3)).errors, /guildhall login/)
      const revoked = await fetch(`${server}/api/community/me`, { headers: { Authorization: `Bearer ${accessToken}` } })
      assert.equal(revoked.status, 401)
      await run(['logout'], 3)
    },
  )

  onTerminal('by the browser shows the address and waits for the browser', async ({ world, home, server, run }) => {
    await world.alice.account()
    let isOpened = false
    const onErrors = async (errors: string) => {
      const address = errors.match(/^http\S+$/m)?.[0]
      if (isOpened || !address) return
      isOpened = true
      const client = oauthClient(world)
      const { to } = await client.authorize(world.alice, new URL(address).searchParams)
      await fetch(await client.decide(world.alice, to!))
    }
    const { code } = await guildhall(['login', '--server', server, '--no-browser'], { home, onErrors })
    assert.equal(code, 0)
    assert.match((await run(['whoami'])).output, /alice/)
  })

  onTerminal('on another device shows a code, and waits until it is allowed there', async (terminal) => {
    const { world, home, server, run } = terminal
    await world.alice.account()
    let isTyped = false
    const onErrors = async (errors: string) => {
      const code = errors.match(/type the code (\w{4}-\w{4})/)?.[1]
      if (isTyped || !code) return
      isTyped = true
      await allowDevice(world.alice, code)
    }
    const { code } = await guildhall(['login', '--server', server, '--device'], { home, onErrors })
    assert.equal(code, 0)
    assert.match((await run(['whoami'])).output, /alice/)
  })

  onTerminal(
    'with a personal access token takes it from the standard input, and keeps only a good one',
    async (terminal) => {
      const { world, home, server, run, json } = terminal
      await world.alice.account()
      const scopes = ['library:read' as const]
      const { token } = await world.alice.personalTokens.create({ name: 'A script', scopes })
      const login = ['login', '--server', server, '--token']
      assert.match((await run(login, 2, 'hunter2\n')).errors, /begins with gpat_/)
      await run(login, 3, `gpat_${'0'.repeat(46)}\n`)
      assert.deepEqual(await readdir(home), [])
      await run(login, 0, `${token}\n`)
      assert.deepEqual((await json<{ scopes: string[] }>(['whoami'])).scopes, scopes)
      await run(['logout'])
      assert.deepEqual((await world.alice.personalTokens.list()).items, [], 'logging out revokes it')
    },
  )

  onTerminal('to several profiles keeps them apart, and sends no credentials to another server', async (terminal) => {
    const { login, run, server, json } = terminal
    await login()
    await login('work')
    assert.deepEqual(await json(['profiles']), ['default', 'work'])
    await run(['logout', '--profile', 'work'])
    assert.deepEqual(await json(['profiles']), ['default'])
    const other = server.replace('127.0.0.1', 'localhost')
    assert.match((await run(['whoami', '--server', other], 3)).errors, /not signed in/)
    await run(['whoami', '--profile', '../default'], 2)
  })

  onTerminal('with a wrong code fails and keeps nothing', async ({ world, home, run, server }) => {
    await world.alice.account()
    await run(['login', '--server', server, '--email', world.alice.email, '--code', '000000'], 1)
    assert.deepEqual(await readdir(home), [])
  })
})

describe('the community at the command line', () => {
  onTerminal('files, finds, votes, comments and posts', async ({ run, json, login, world }) => {
    await login()
    const filed = await run(
      ['bug', 'new', '--title', 'Digest is late', '--description', '-', '--severity', 'low'],
      0,
      'At nine.\n',
    )
    const number = filed.output.match(/Filed #(\d+): http/)?.[1]
    assert.ok(number, filed.output)
    assert.match((await run(['vote', `#${number}`, 'up'])).output, /The score is 1/)
    assert.match((await run(['vote', number, 'clear'])).output, /The score is 0/)
    await run(['comment', number, 'Again today.'])
    await run(['post', '--title', 'Hello', '--body', 'Who is here?'])
    assert.match((await run(['feed'])).output, /#2 {2}Hello, .*\n#1 {2}Digest is late, .* score 0, comments 1/)
    const [found] = await json<{ type: string; id: string }[]>(['search', 'late', 'digest', '--type', 'bug'])
    assert.equal(found?.type, 'bug')
    assert.equal((await json<unknown[]>(['feed', '--limit', '1'])).length, 1)
    const { items } = await world.bob.bugs.comments({ id: found.id })
    assert.equal(items[0]?.body, 'Again today.')
    assert.match((await run(['vote', `bug/${found.id}`, 'down'])).output, /The score is -1/)
  })

  onTerminal('is read without an account, and not written', async ({ run, server, world }) => {
    await world.bob.bugs.create(crash)
    assert.match((await run(['feed', '--server', server])).output, /Crash/)
    assert.match((await run(['search', 'nothing-like-this', '--server', server])).output, /Nothing found/)
    await run(['post', '--title', 'a', '--body', 'b', '--server', server], 3)
    assert.match((await run(['feed'], 2)).errors, /--server/)
  })

  onTerminal('shows unread notifications, and marks what was shown', async ({ run, login, world }) => {
    await login()
    const { id } = await (await world.person('carol')).bugs.create(crash)
    await run(['comment', `bug/${id}`, 'Mine too'])
    await world.bob.bugs.comment({ id, body: 'And mine' })
    await world.app.deliver()
    assert.match((await run(['inbox', '--read'])).output, /comment on #1 Crash\n {4}And mine/)
    assert.match((await run(['inbox'])).output, /Nothing found/)
    assert.match((await run(['inbox', '--all'])).output, /And mine/)
  })

  onTerminal('shows what members wrote without what a terminal would obey', async ({ run, server, world }) => {
    await world.bob.bugs.create({ ...crash, title: 'Red', description: 'Red \u001b[31m and \u202eback\u009b1m' })
    for (const words of [['feed'], ['feed', '--json'], ['search', 'red'], ['api', 'bugs.list']]) {
      const { output } = await run(['--server', server, ...words])
      assert.match(output, /Red/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      assert.doesNotMatch(output, /[\u001b\u009b\u202e]/)
    }
    const { items } = JSON.parse((await run(['--server', server, 'api', 'bugs.list'])).output)
    assert.equal(items[0].description, 'Red \u001b[31m and \u202eback\u009b1m')
  })
})

describe('what is mistyped', () => {
  onTerminal('is told with what was meant, and help and version have short names', async ({ run }) => {
    for (const [word, meant] of [
      ['instal', 'install'],
      ['udpate', 'update'],
      ['pubish', 'publish'],
      ['yak', 'yank'],
    ] as const) {
      assert.match((await run([word], 2)).errors, new RegExp(`no command ${word}\\. Did you mean ${meant}\\?`))
    }
    assert.doesNotMatch((await run(['somewhere'], 2)).errors, /Did you mean/)
    assert.match(
      (await run(['bug'], 2)).errors,
      /^There is no command bug\. Did you mean bug new or bug list or bug show\?/,
    )
    assert.equal((await run(['feed', '--bogus'], 2)).errors, "Unknown option '--bogus'\n")
    assert.match((await run(['-h'])).output, /Exit codes: /)
    assert.match((await run(['install', '-h'])).output, /^guildhall install /)
    assert.match((await run(['api', '-h'])).output, /^guildhall api /)
    assert.match((await run(['api', 'bugs.list', '-h'])).output, /--status/)
    assert.match((await run(['-v'])).output, /^\d+\.\d+\.\d+\n$/)
  })

  it('and a fault of the program is a sentence', () => {
    const { exitCode, message, code } = failureOf(new TypeError('x is undefined'))
    assert.deepEqual([exitCode, code], [1, 'fault'])
    assert.match(message, /^This is a fault of guildhall: x is undefined\./)
  })
})

describe('api', () => {
  onTerminal('calls any operation, with texts, other values, files and downloads', async ({ run, login, home }) => {
    await login()
    const created = JSON.parse(
      (await run(['api', 'bugs.create', '--title', '128', '--description=a=b', '--severity', 'low'])).output,
    )
    assert.deepEqual([created.title, created.description], ['128', 'a=b'])
    assert.equal(JSON.parse((await run(['api', 'bugs.vote', '--id', created.id, '--value', '1'])).output).score, 1)
    const path = join(home, 'org.json')
    await writeFile(path, JSON.stringify({ name: 'Notes', goal: 'Write.', roles: [{ id: 'editor' }] }))
    const item = JSON.parse((await run(['api', 'library.publish', '--kind', 'org', '--file', path])).output)
    const saved = join(home, 'saved.json')
    await run(['api', 'library.download', '--id', item.id, '--output', saved])
    assert.deepEqual(await readFile(saved), await readFile(path))
    assert.equal((await run(['api', 'library.download', '--id', item.id])).output, await readFile(path, 'utf8'))
  })

  onTerminal('tells what is wrong by its exit code and a sentence, or as JSON', async ({ run, login, server }) => {
    await login()
    assert.match((await run(['api', 'bugs.get', '--id', 'none'], 1)).errors, /./)
    const failed = await run(['--json', 'api', 'bugs.get', '--id', 'none'], 1)
    assert.equal(JSON.parse(failed.errors).error.code, 'not_found')
    for (const words of [
      ['api', 'bugs.none'],
      ['api', 'constructor.name'],
      ['api', 'bugs.get', '--idd', 'a'],
      ['api', 'bugs.get', 'a'],
      ['api', 'bugs.get', '--id'],
      ['api', 'bugs.get', '--id', 'a', '--id', 'b'],
      ['api', 'bugs.vote', '--id', 'a', '--value', 'up'],
      ['api', 'bugs.get', '--id', 'a', '--output', 'x'],
      ['vote', 'nothing', 'up'],
      ['vote', '1', 'sideways'],
      ['vote', '1'],
      ['feed', '--limit', '0'],
      ['feed', '--unknown'],
      ['unknown'],
      ['feed', '--server', 'nonsense'],
    ]) {
      await run(words, 2)
    }
    await run(['api', 'sessions.list'], 3)
    await run(['feed', '--server', server.replace(/\d+$/, '1')], 4)
    await run(['api', 'library.publish', '--kind', 'org', '--file', '/nowhere'], 1)
  })

  onTerminal('follows events until it is interrupted', async ({ login, home }) => {
    await login()
    const interruption = new AbortController()
    const stdout: string[] = []
    const running = guildhall(['api', 'notifications.stream'], {
      home,
      signal: interruption.signal,
      onOutput(output) {
        stdout.push(output)
        interruption.abort(new Error('Interrupted'))
      },
    })
    assert.equal((await running).code, 130)
    assert.deepEqual(JSON.parse(stdout[0]!), { event: 'unread', data: '0' })
  })

  it('lists every operation, and what each takes', async (t) => {
    const home = await temporaryDirectory(t)
    const list = await guildhall(['api'], { home, environment: { GUILDHALL_URL: 'https://guildhall.example' } })
    assert.match(list.output, /^bugs\.create {2}POST \/community\/bugs$/m)
    const one = await guildhall(['api', 'library.download', '--help'], { home })
    assert.match(
      one.output,
      /Scope: library:read\n {2}--id TEXT\n {2}--version TEXT\n {2}--redirect TEXT\n {2}--output PATH/,
    )
    const table = JSON.parse((await guildhall(['help', '--json'], { home })).output) as {
      name: string
      options: string[]
    }[]
    assert.ok(table.find(({ name }) => name === 'update')?.options.includes('--allow'))
    const help = await guildhall(['help'], { home })
    assert.match(help.output, /bug new --title/)
    assert.equal(
      (await guildhall(['bug', 'new', '--help'], { home })).output.split('\n')[0]?.startsWith('guildhall bug new'),
      true,
    )
    assert.match((await guildhall(['--version'], { home })).output, /^\d+\.\d+\.\d+\n$/)
  })
})

it('has colours on a terminal alone, unless NO_COLOR or FORCE_COLOR says otherwise', async (t) => {
  const home = await temporaryDirectory(t)
  const isColoured = async (isTerminal: boolean, environment = {}) => {
    const { output } = await guildhall(['help'], { home, isTerminal, environment })
    const { errors } = await guildhall(['unknown'], { home, isTerminal, environment })
    assert.equal(errors.startsWith('\u001b[31mThere is no command'), output.includes('\u001b[1mlogin\u001b[22m'))
    return errors.includes('\u001b')
  }
  assert.equal(await isColoured(true), true)
  assert.equal(await isColoured(false), false)
  assert.equal(await isColoured(true, { NO_COLOR: '1' }), false)
  assert.equal(await isColoured(true, { TERM: 'dumb' }), false)
  assert.equal(await isColoured(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), true)
  assert.equal(await isColoured(true, { FORCE_COLOR: '0' }), false)
})
