// A machine of an operator for the commands of the handbook: namespaces of Linux with files, addresses and processes of their own, so that
// /etc, port 443 and guild.example are what a page says, and nothing of this machine is touched. It needs root.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, connect as open, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { openObjectStorage } from '../object-storage.ts'
import { withFolder } from '../server.ts'
import { smtpServer } from '../smtp-server.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
const NAMES = ['guild.example', 'files.guild.example', 's3.example', 'mail.example']

/** Why there can be no such machine; undefined where there can. */
export function whyNoMachine(): string | undefined {
  const { status } = spawnSync('unshare', [
    ...NAMESPACES,
    'sh',
    '-c',
    'mount -t tmpfs machine /mnt && ip link set lo up',
  ])
  if (status === 0) return undefined
  return process.getuid?.() === 0
    ? 'these need Linux with namespaces, unshare and ip'
    : 'run these as root: they make machines of their own'
}

export interface Ran {
  code: number | null
  output: string
  /** The mails that were sent to mail.example. */
  mails: string[]
}

/** Runs a script on a new machine. `release` is a folder that is /opt/guildhall-0.1.0 and -0.2.0 there. */
export async function runOnMachine(script: string, release: string): Promise<Ran> {
  let ran: Ran | undefined
  await withFolder(async (work) => {
    await certify(join(work, 'tls'))
    await writeFile(join(work, 'page.sh'), script)
    const mails: string[] = []
    const bucket = await openObjectStorage()
    const { port } = new URL(new URL(bucket.url(work)).searchParams.get('endpoint') ?? '')
    const servers = [
      await listenAt(
        join(work, 'mail.sock'),
        smtpServer((text) => mails.push(text)),
      ),
      await listenAt(
        join(work, 's3.sock'),
        createServer((socket) => {
          const other = open(Number(port), '127.0.0.1')
          socket.pipe(other).pipe(socket)
          for (const end of [socket, other]) end.on('error', () => [socket, other].map((one) => one.destroy()))
        }),
      ),
    ]
    try {
      ran = { ...(await runIn(work, release)), mails }
    } finally {
      for (const server of servers) server.close()
      await bucket.close()
    }
    await rm(join(work, 'layers'), { recursive: true, force: true })
  })
  if (!ran) throw new Error('The machine did not run')
  return ran
}

async function runIn(work: string, release: string): Promise<Omit<Ran, 'mails'>> {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  const env = { PATH, LANG, WORK: work, RELEASE: release, REPOSITORY, NODE: process.execPath }
  const child = spawn('unshare', [...NAMESPACES, 'bash', join(REPOSITORY, 'test/deploy/machine/start.sh')], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'exit')
  return { code, output }
}

async function listenAt(path: string, server: Server): Promise<Server> {
  server.listen(path)
  await once(server, 'listening')
  return server
}

/** A certificate for the names of the machine, by an authority that the machine trusts. */
async function certify(folder: string): Promise<void> {
  await mkdir(folder)
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`)
  }
  const names = NAMES.map((name) => `DNS:${name}`).join(',')
  const key = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2']
  run('req', '-x509', ...key, '-subj', '/CN=Authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', `subjectAltName=${names}`]
  const own = ['-addext', 'basicConstraints=critical,CA:FALSE', '-subj', '/CN=guild.example']
  run('req', '-x509', ...key, ...by, ...own, '-keyout', 'privkey.pem', '-out', 'fullchain.pem')
}
