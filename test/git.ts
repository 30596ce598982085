// The real git, as it comes with the system, against a world that listens.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createNodeServer, stopServer } from '../src/surfaces/http/listen.ts'
import { withFolder } from './server.ts'
import { BASE_URL, type World } from './world.ts'

interface Ran {
  code: number | null
  output: string
}

export interface Git {
  /** The address of the world. */
  url: string
  folder: string
  /** Runs git in the folder, and returns what it says; a failure is one of the test. */
  git(...args: string[]): Promise<string>
  tryGit(...args: string[]): Promise<Ran>
}

function run(args: readonly string[], cwd: string): Promise<Ran> {
  const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }
  const child = spawn('git', args, { cwd, env: { PATH: process.env['PATH'], HOME: cwd, LC_ALL: 'C', ...quiet } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((done) => child.once('close', (code) => done({ code, output })))
}

export const withGit = ({ app }: World, body: (git: Git) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const config = { readers: 'everyone' as const, trustProxy: 0, name: 'Guildhall', baseUrl: BASE_URL }
    const server = createNodeServer({ app: app.fetch, config, observe() {} })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const tryGit = (...args: string[]) => run(args, folder)
    const git = async (...args: string[]) => {
      const { code, output } = await tryGit(...args)
      assert.equal(code, 0, `git ${args.join(' ')}: ${output}`)
      return output.trim()
    }
    try {
      await body({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder, git, tryGit })
    } finally {
      await stopServer(server, 100)
    }
  })

/** Every file below a folder, with its text. */
export async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const read = async (path: string) => [path.slice(folder.length + 1), await readFile(path, 'latin1')] as const
  return Object.fromEntries(await Promise.all(paths.map(read)))
}
