// A real IMAP server for tests: Dovecot, where it is installed and the tests may start it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'

/** Why there is none; false where there is. */
export const noDovecot: string | false =
  spawnSync('dovecot', ['--version']).status !== 0
    ? 'Dovecot is not installed (dovecot-imapd of Debian)'
    : process.getuid?.() !== 0 && 'only root can start Dovecot'

/** As it stands in an address: it is `p@ss/word`. */
const PASSWORD = 'p@ss/word'
const STARTED_MILLISECONDS = 10_000

/** Mails are kept as the user `mail`, whom every Debian has. */
const configOf = (folder: string, port: number) => `
protocols = imap
base_dir = ${folder}/run
log_path = ${folder}/log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`

export interface ImapServer {
  /** The address of a mailbox. */
  url: string
  /** Puts mails into it. */
  put(...mails: string[]): Promise<void>
  /** The flags of all its mails, in their order. */
  flags(): Promise<string[]>
  empty(): Promise<void>
  close(): Promise<void>
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })

/** Starts a server at a port. */
export async function startDovecot(port: number): Promise<ImapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o777)
  const config = join(folder, 'dovecot.conf')
  await writeFile(config, configOf(folder, port))
  const server: ChildProcess = spawn('dovecot', ['-F', '-c', config], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const until = performance.now() + STARTED_MILLISECONDS
  while (!(await isOpen(port))) {
    if (performance.now() > until) throw new Error('Dovecot did not start')
    await sleep(50)
  }
  const within = async <T>(run: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const auth = { user: 'replies', pass: PASSWORD }
    const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false })
    await client.connect()
    try {
      await client.mailboxOpen('INBOX')
      return await run(client)
    } finally {
      await client.logout()
    }
  }
  return {
    url: `imap://replies:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/`,
    put: (...mails) =>
      within(async (client) => {
        for (const mail of mails) await client.append('INBOX', mail, [])
      }),
    flags: () =>
      within(async (client) => {
        const all = await client.fetchAll('1:*', { flags: true })
        return all.map(({ flags }) => [...(flags ?? [])].filter((flag) => flag !== '\\Recent').join(' '))
      }),
    empty: () => within(async (client) => void (await client.messageDelete('1:*'))),
    async close() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
