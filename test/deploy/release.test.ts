// A release is one folder that runs by itself: moved elsewhere, without npm and without rights to write into it. systemd may hold its port.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, withFolder } from '../server.ts'

const hasSystemd = spawnSync('systemd-socket-activate', ['--version']).status === 0

/** Everything a release prints goes with a failure. */
function outputOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  return () => text
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  while (!(await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined))?.ok) {
    assert.equal(child.exitCode, null, output())
    await sleep(50)
  }
}

/** A release in a folder of its own, made by an account whose files are private. */
const withRelease = (work: (release: string, folder: string) => Promise<void>) =>
  withFolder(async (folder) => {
    const command = ['-c', 'umask 077; exec "$0" "$@"', process.execPath, 'release/main.ts', join(folder, 'made')]
    const made = spawnSync('sh', command, { encoding: 'utf8' })
    assert.equal(made.status, 0, made.stdout + made.stderr)
    const again = spawnSync(process.execPath, ['release/main.ts', join(folder, 'made')], { encoding: 'utf8' })
    assert.deepEqual([again.status, /is not empty/.test(again.stderr)], [1, true])
    renameSync(join(folder, 'made'), join(folder, 'guildhall'))
    await work(join(folder, 'guildhall'), folder)
  })

const environmentOf = (folder: string) => ({ PATH: '/usr/bin:/bin', DATA_DIR: join(folder, 'data'), TMPDIR: folder })

describe('npm run release', () => {
  it('makes a folder that serves the API and the pages, and has the commands of the operator', () =>
    withRelease(async (release, folder) => {
      const { stdout: unreadable } = spawnSync('find', [release, '!', '-type', 'l', '!', '-perm', '-o=r'])
      assert.equal(String(unreadable), '', 'another account can read it')
      const before = readdirSync(release, { recursive: true }).length
      const port = String(await freePort())
      const env = { ...environmentOf(folder), PORT: port }
      const child = spawn(join(release, 'guildhall-server'), [], { env, cwd: folder })
      const output = outputOf(child)
      const url = `http://127.0.0.1:${port}`
      try {
        await untilReady(url, child, output)
        for (const path of ['/', '/community/bugs', '/docs/reference', '/docs/api', '/api/openapi.json']) {
          assert.equal((await fetch(url + path)).status, 200, path)
        }
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ name: 'Carol', email: 'carol@example.com', password: 'correct horse battery' })
        assert.equal((await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })).status, 200)
        const admin = (...args: string[]) =>
          spawnSync(join(release, 'guildhall-server'), args, { env, cwd: folder, encoding: 'utf8' })
        const listed = admin('users', 'list', '--json')
        assert.equal(JSON.parse(listed.stdout).users[0].email, 'carol@example.com', listed.stderr)
        const verified = admin('verify', '--json')
        assert.deepEqual([verified.status, JSON.parse(verified.stdout).ok], [0, true], verified.stderr)
        assert.match(admin('--version').stdout, /^\d+\.\d+\.\d+\n$/)
        assert.equal(admin('nonsense').status, 2)
        // No npm is there: what a release says names its own program.
        const said = [
          output(),
          ...[['nonsense'], ['--help'], ['backup'], ['rotate-key', '--finish'], ['demo']].map((args) => {
            const { stdout, stderr } = admin(...args)
            return stdout + stderr
          }),
          spawnSync(join(release, 'guildhall-server'), [], {
            env: { ...env, BASE_URL: 'https://guildhall.example', DATA_DIR: join(folder, 'other') },
            encoding: 'utf8',
          }).stderr,
        ]
        assert.match(said[0]!, /guildhall-server grant <email> admin/)
        assert.match(said.at(-1)!, /SIGNING_KEY is missing, .*guildhall-server new-key/)
        for (const text of said) assert.doesNotMatch(text, /npm/)
      } catch (error) {
        child.kill('SIGKILL')
        throw error
      }
      child.kill('SIGTERM')
      assert.deepEqual(await once(child, 'exit'), [0, null], output())
      assert.doesNotMatch(output(), /Building the site/)
      assert.equal(readdirSync(release, { recursive: true }).length, before, 'it writes nothing into its own folder')
    }))
})

describe('a release that fails', () => {
  it('leaves nothing behind: on a full disk, and when it is interrupted', (t) =>
    withFolder(async (folder) => {
      const disk = join(folder, 'disk')
      mkdirSync(disk)
      const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status === 0
      if (isMounted) {
        t.after(() => spawnSync('umount', [disk]))
        for (const path of [join(disk, 'made'), disk]) {
          const { status, stderr } = spawnSync(process.execPath, ['release/main.ts', path], { encoding: 'utf8' })
          assert.deepEqual([status, /^No release was made: .*ENOSPC/m.test(stderr)], [1, true], stderr)
          assert.deepEqual(readdirSync(disk), [])
        }
        spawnSync('umount', [disk])
      }
      for (const [path, unfinished] of [
        [join(folder, 'made'), join(folder, 'made.unfinished-')],
        [disk, join(disk, '.unfinished-')],
      ] as const) {
        const child = spawn(process.execPath, ['release/main.ts', path])
        while (globSync(`${unfinished}*`).length === 0) await sleep(20)
        child.kill('SIGTERM')
        assert.deepEqual(await once(child, 'exit'), [1, null])
        assert.deepEqual(readdirSync(folder, { recursive: true }), ['disk'])
      }
    }))
  it('needs nothing but the folder, where it is there and empty', (t) =>
    withFolder(async (folder) => {
      const disk = join(folder, 'disk')
      mkdirSync(disk)
      if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]).status !== 0) return t.skip('needs root')
      t.after(() => spawnSync('umount', [disk]))
      const { status, stderr } = spawnSync(process.execPath, ['release/main.ts', disk], { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      assert.match(spawnSync(join(disk, 'guildhall-server'), ['--version'], { encoding: 'utf8' }).stdout, /^\d/)
      assert.deepEqual(
        readdirSync(disk).filter((name) => name.startsWith('.')),
        [],
      )
      spawnSync('umount', [disk])
    }))
})

describe('socket activation', { skip: hasSystemd ? false : 'install systemd to run these' }, () => {
  for (const WORKERS of ['1', '2']) {
    it(`serves at the port that systemd opened, with ${WORKERS} processes`, () =>
      withFolder(async (folder) => {
        const [port, unused] = [await freePort(), String(await freePort())]
        const flags = ['-l', `127.0.0.1:${port}`]
        for (const [name, value] of Object.entries({ ...environmentOf(folder), PORT: unused, WORKERS })) {
          flags.push('-E', `${name}=${value}`)
        }
        const child = spawn('systemd-socket-activate', [...flags, process.execPath, 'src/main.ts'])
        const output = outputOf(child)
        try {
          await untilReady(`http://127.0.0.1:${port}`, child, output)
          assert.equal((await fetch(`http://127.0.0.1:${port}/api/community/feed`)).status, 200)
          await assert.rejects(fetch(`http://127.0.0.1:${unused}/healthz`))
        } finally {
          child.kill('SIGTERM')
          await once(child, 'exit')
        }
      }))
  }
})
