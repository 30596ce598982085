// bin/node.js, which every npm script starts with: it finds the Node of the lock file, passes signals on and leaves nothing behind.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withFolder } from './server.ts'

/** Says its process id, then its signals; ends with 7 at SIGTERM, at once at SIGINT. */
const PROGRAM = `
  process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(7) })
  process.on('SIGHUP', () => console.log('SIGHUP'))
  setInterval(() => {}, 1000)
  console.log(process.pid)
`
/** Makes the launcher think that an older Node runs it. */
const OLD = `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})`

interface Started {
  process: ChildProcess
  output(): string
  /** The id of the program, once it has said so. */
  pid: Promise<number>
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Started {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const pid = new Promise<number>((resolve) => {
    const add = (chunk: Buffer) => {
      text += chunk.toString()
      const said = /^(\d+)\n/m.exec(text)
      if (said) resolve(Number(said[1]))
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return { process: child, output: () => text, pid, ended }
}

const launch = (...args: string[]) => run(process.execPath, ['bin/node.js', ...args])

/** Resolves once there is no such process; the test's own time limit ends the wait. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('the launcher', () => {
  it('runs the pinned Node, which is also the `node` of what the program starts', async () => {
    const { ended, output } = launch('-p', `require('child_process').execSync('node -p process.execPath').toString()`)
    assert.deepEqual(await ended, { code: 0, signal: null })
    assert.match(output(), /node_modules\/node-[\w-]+\/bin\/node\n/)
  })

  it('gives the program one heap of malloc, or as many as the caller says', async () => {
    const { MALLOC_ARENA_MAX: _, ...none } = process.env
    for (const [env, heaps] of [[none, '1'] as const, [{ ...none, MALLOC_ARENA_MAX: '4' }, '4'] as const]) {
      const started = run(process.execPath, ['bin/node.js', '-p', 'process.env.MALLOC_ARENA_MAX'], env)
      assert.deepEqual([await started.ended, started.output().trim()], [{ code: 0, signal: null }, heaps])
    }
  })

  it('gives the program bounds of memory, or those that the caller says', async () => {
    const names = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'NODE_OPTIONS']
    const none = Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)))
    const given = { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65537', NODE_OPTIONS: '--no-warnings' }
    const says = async (env: NodeJS.ProcessEnv) => {
      const program = `${JSON.stringify(names)}.map((name) => process.env[name]).join()`
      const started = run(process.execPath, ['bin/node.js', '-p', program], env)
      assert.deepEqual(await started.ended, { code: 0, signal: null })
      return started.output().trim()
    }
    assert.equal(await says(none), '131072,131072,--max-semi-space-size=16')
    assert.equal(await says({ ...none, ...given }), '65536,65537,--max-semi-space-size=16 --no-warnings')
  })

  it('ends with the exit code of the program', async () => {
    assert.deepEqual(await launch('-e', 'process.exit(3)').ended, { code: 3, signal: null })
  })

  it('passes signals on and waits for the program', async () => {
    const started = launch('-e', PROGRAM)
    const pid = await started.pid
    started.process.kill('SIGHUP')
    while (!started.output().includes('SIGHUP')) await new Promise((resolve) => setTimeout(resolve, 20))
    started.process.kill('SIGTERM')
    assert.deepEqual(await started.ended, { code: 7, signal: null })
    await gone(pid)
  })

  it('ends by the signal that ended the program', async () => {
    const started = launch('-e', PROGRAM)
    const pid = await started.pid
    started.process.kill('SIGINT')
    assert.deepEqual(await started.ended, { code: null, signal: 'SIGINT' })
    await gone(pid)
  })

  it('leaves no program behind when it is killed', async () => {
    const started = launch('-e', PROGRAM)
    const pid = await started.pid
    started.process.kill('SIGKILL')
    await gone(pid)
  })

  it('leaves no program behind when npm has ended the shell of the script', async () => {
    const script = `"${process.execPath}" bin/node.js -e "$PROGRAM"; true`
    const env = { ...process.env, PROGRAM, npm_lifecycle_event: 'start' }
    const started = run('/bin/sh', ['-c', script], env)
    const pid = await started.pid
    started.process.kill('SIGTERM')
    await gone(pid)
  })

  it('says in a sentence that the package is missing, to a Node that is too old', () =>
    withFolder(async (folder) => {
      await cp('bin', join(folder, 'bin'), { recursive: true })
      await writeFile(join(folder, 'package.json'), '{"type": "module"}')
      const launcher = join(folder, 'bin/node.js')
      const { ended, output } = run(process.execPath, [OLD, launcher, '-p', '1'])
      assert.equal((await ended).code, 1)
      assert.match(
        output(),
        /^Guildhall needs Node 26 or later and brings its own, but the package node-[\w-]+ is not installed: run `npm ci`.*; this is Node 18\.20\.8\.\n$/,
      )
      const newEnough = run(process.execPath, [launcher, '-p', '"it runs"'])
      assert.equal((await newEnough.ended).code, 0)
      assert.equal(newEnough.output(), 'it runs\n')
    }))

  it('says in a sentence that the package does not run on this machine', () =>
    withFolder(async (folder) => {
      await cp('bin', join(folder, 'bin'), { recursive: true })
      await writeFile(join(folder, 'package.json'), '{"type": "module"}')
      for (const name of ['linux-x64', 'linux-arm64', 'darwin-x64', 'bin-darwin-arm64', 'win-x64']) {
        await mkdir(join(folder, 'node_modules', `node-${name}`), { recursive: true })
        await writeFile(join(folder, 'node_modules', `node-${name}`, 'package.json'), '{"bin": {"node": "bin/node"}}')
      }
      const launcher = join(folder, 'bin/node.js')
      const { ended, output } = run(process.execPath, [OLD, launcher, '-p', '1'])
      assert.equal((await ended).code, 1)
      assert.match(output(), /bin\/node does not run on this machine \(ENOENT\): install Node 26 and run npm with it; /)
      const newEnough = run(process.execPath, [launcher, '-p', '"it runs"'])
      assert.equal((await newEnough.ended).code, 0)
      assert.equal(newEnough.output(), 'it runs\n')
    }))

  it('is what runs packages, so that the lock file names no engines for npm to warn of', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, object> }
    const named = Object.keys(packages).filter((path) => path !== '' && 'engines' in packages[path]!)
    assert.deepEqual(named, [], 'run `npm install`, which takes them out')
  })
})
