// Behind the proxies of deploy, too, no Host of a request chooses what is routed and cached.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { raw } from '../raw.ts'
import { freePort, startServer, withFolder } from '../server.ts'

const unless = (program: string) =>
  spawnSync('which', [program]).status === 0 ? false : `install ${program} to run this`

/** A Host that goes on as a target; its name in ASCII is as long as all of it, which is all that a library compared. */
function sideways(target: string): string {
  const whole = target.padEnd(Math.ceil(target.length / 6) * 6, 'x')
  return Array.from({ length: whole.length / 6 }, () => 'ü').join('.') + whole
}

const HOSTS = [
  ...['/api/community/feed?', '\\api\\community\\feed?', '/api/community/feed#', '/healthz?'].map(sideways),
  'guild.example/api/community/feed?',
  'guild.example\\healthz',
  'guild.example\r\nHost: evil.example',
]

interface Proxy {
  command: string[]
  files: Record<string, string>
}

/** The shipped configuration, without TLS, on a free port. */
const proxies: Record<string, (folder: string, ports: { proxy: number; server: number }) => Promise<Proxy>> = {
  async nginx(folder, ports) {
    const spare = await freePort()
    const site = (await readFile('deploy/nginx/guildhall.conf', 'utf8'))
      .replace('listen 80;', `listen 127.0.0.1:${spare};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${ports.proxy};`)
      .replace(/^ *ssl_.*\n/gm, '')
      .replace('127.0.0.1:3000', `127.0.0.1:${ports.server}`)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const main = `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${paths.join(' ')} include ${folder}/site.conf; }\n`
    return {
      command: ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
      files: { 'site.conf': site, 'nginx.conf': main },
    }
  },
  async caddy(folder, ports) {
    const text = (await readFile('deploy/caddy/Caddyfile', 'utf8'))
      .replace('guild.example, files.guild.example', `:${ports.proxy}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${ports.server}`)
    return {
      command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      files: { Caddyfile: `{\n\tadmin off\n}\n${text}` },
    }
  },
}

async function behind(name: string, work: (port: number) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const server = await startServer({ DATA_DIR: join(folder, 'data'), TRUST_PROXY: '1' })
    const ports = { proxy: await freePort(), server: Number(new URL(server.url).port) }
    const { command, files } = await proxies[name]!(folder, ports)
    await mkdir(join(folder, 'home'))
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
    const environment = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home') }
    const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore', env: environment })
    try {
      const isUp = () => raw(ports.proxy, 'GET /healthz', { head: 'Host: guild.example\r\n' }).catch(() => undefined)
      while ((await isUp())?.status !== 200) {
        assert.equal(child.exitCode, null, `${name} ended`)
        await sleep(50)
      }
      await work(ports.proxy)
    } finally {
      const ended = once(child, 'exit')
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      await server.end('SIGTERM')
    }
  })
}

describe('a Host that goes on like a path', () => {
  for (const name of Object.keys(proxies)) {
    it(`reaches no other route through ${name}, and leaves nothing in a cache`, { skip: unless(name) }, () =>
      behind(name, async (port) => {
        const plain = (path: string) => raw(port, `GET ${path}`, { head: 'Host: guild.example\r\n' })
        const bugs = JSON.parse((await plain('/api/community/bugs')).body)
        for (const [at, value] of HOSTS.entries()) {
          const path = `/api/community/bugs?n=${at}`
          const poison = await raw(port, `GET ${path}`, { head: `Host: ${value}\r\n` })
          assert.ok(poison.status >= 400 && poison.status < 500, `${value}: ${poison.status}`)
          assert.deepEqual(JSON.parse((await plain(path)).body), bugs, value)
        }
      }),
    )
  }
})
