// Skills are installed by the command line that agents' users have for skills (vercel-labs/skills), as it came from npm: that of the instance, and those
// of the library by the addresses of the server, a member, a team, an item, and by a secret one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { CookieJar } from './cookies.ts'
import { freePort, plainEnvironment, startServer, withData, withFolder } from './server.ts'
import { skillFiles, zipOf } from './skills.ts'

const CLIENT = resolve('node_modules/skills/bin/cli.mjs')

/** Runs the client in a folder; gives what it printed. */
function skills(folder: string, args: string[]): Promise<string> {
  const env = { ...plainEnvironment, HOME: folder, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' }
  const child = spawn(process.execPath, [CLIENT, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((done) => child.once('exit', () => done(output)))
}

/** Answers at a port with what `url` answers, and lets `change` have the bytes of a skill first. */
async function between(port: number, url: () => string, change: (bytes: Buffer) => void) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${url()}${request.url}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (/\/(?:SKILL\.md|file)$/.test(request.url ?? '')) change(bytes)
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' }).end(bytes)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return server
}

/** A session of a new account, as a browser keeps it. */
async function signUp(address: string, url: string) {
  const jar = new CookieJar()
  const send = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData
    const request = new Request(`${url}/api${path}`, {
      method: 'POST',
      headers: { Origin: address, ...(!isForm && { 'Content-Type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    const answer = jar.take(await fetch(jar.give(request)))
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  await send('/auth/sign-up/email', { name: 'Alice', email: 'alice@example.com', password: 'a long password' })
  return send
}

const uploaded = (name: string, visibility: string) => {
  const form = new FormData()
  form.set('kind', 'skill')
  form.set('visibility', visibility)
  form.set('file', new File([Uint8Array.from(zipOf(skillFiles({ name })))], `${name}.zip`))
  return form
}

describe('skills, by the command line for them', () => {
  it('are installed from every address as they are served, and not with one byte changed', () =>
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
      /** What is installed from an address: paths of files with their texts, below the folder of skills. */
      const installed = async (at: string) => {
        let found: Record<string, string> = {}
        await withFolder(async (folder) => {
          const output = await skills(folder, ['add', at, '--yes', '--agent', 'claude-code'])
          const place = join(folder, '.claude/skills')
          const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])
          for (const entry of entries.filter((one) => one.isFile())) {
            const path = join(entry.parentPath, entry.name)
            found[path.slice(place.length + 1)] = await readFile(path, 'utf8')
          }
          if (entries.length === 0) found = { output }
        })
        return found
      }
      try {
        const send = await signUp(address, server.url)
        await send('/community/username', { username: 'alice' })
        await send('/library/items', uploaded('pdf-tools', 'public'))
        await send('/library/items', uploaded('own-tools', 'private'))
        const { skills: secret } = (await send('/account/feeds', {})) as { skills: { url: string } }
        const own = await (await fetch(`${server.url}/.well-known/agent-skills/guildhall/SKILL.md`)).text()
        const filesOf = (name: string) =>
          Object.fromEntries(Object.entries(skillFiles({ name })).map(([path, text]) => [`${name}/${path}`, text]))
        assert.deepEqual(await installed(address), { 'guildhall/SKILL.md': own, ...filesOf('pdf-tools') })
        for (const at of ['/library', '/library/skills/pdf-tools', '/library/skills/pdf-tools/', '/community/u/alice'])
          assert.deepEqual(await installed(address + at), filesOf('pdf-tools'), at)
        assert.deepEqual(await installed(secret.url), { ...filesOf('pdf-tools'), ...filesOf('own-tools') })
        assert.deepEqual(await installed(`${secret.url}/library/skills/own-tools`), filesOf('own-tools'))
        const none = await installed(`${address}/library/skills/own-tools`)
        assert.match(none['output'] ?? '', /No skills found for the scoped path/)
        isFlipped = true
        for (const at of [address, `${address}/library/skills/pdf-tools`, secret.url])
          assert.deepEqual(Object.keys(await installed(at)), ['output'], at)
      } finally {
        proxy.close()
        await server.end('SIGTERM')
      }
    }))
})
