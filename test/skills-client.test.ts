// The skill of an instance is installed by the command line that agents' users have for skills (vercel-labs/skills), as it came from npm.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { freePort, plainEnvironment, startServer, withData, withFolder } from './server.ts'

const CLIENT = resolve('node_modules/skills/bin/cli.mjs')

/** Runs the client in a folder; gives what it printed. */
function skills(folder: string, args: string[]): Promise<string> {
  const env = { ...plainEnvironment, HOME: folder, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' }
  const child = spawn(process.execPath, [CLIENT, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((done) => child.once('exit', () => done(output)))
}

/** Answers at a port with what `url` answers, and lets `change` have the bytes of the skill first. */
async function between(port: number, url: () => string, change: (bytes: Buffer) => void) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${url()}${request.url}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (request.url?.endsWith('/SKILL.md')) change(bytes)
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' }).end(bytes)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return server
}

describe('the skill of an instance, by the command line for skills', () => {
  it('is installed as it is served, and not with one byte changed', () =>
    withData(async (data) => {
      const port = await freePort()
      const address = `http://127.0.0.1:${port}`
      const server = await startServer({ DATA_DIR: data, BASE_URL: address })
      let isFlipped = false
      const proxy = await between(
        port,
        () => server.url,
        (bytes) => {
          if (isFlipped) bytes[bytes.length - 2]! ^= 1
        },
      )
      try {
        const install = ['add', address, '--yes', '--agent', 'claude-code']
        await withFolder(async (folder) => {
          const output = await skills(folder, install)
          const served = await (await fetch(`${server.url}/.well-known/agent-skills/guildhall/SKILL.md`)).text()
          const path = join(folder, '.claude/skills/guildhall/SKILL.md')
          assert.equal(await readFile(path, 'utf8').catch(() => output), served)
        })
        isFlipped = true
        await withFolder(async (folder) => {
          await skills(folder, install)
          assert.deepEqual(
            (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('SKILL.md')),
            [],
          )
        })
      } finally {
        proxy.close()
        await server.end('SIGTERM')
      }
    }))
})
