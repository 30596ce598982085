// The keyring of the system, by the program that the system has for it. Secrets go by the standard input: arguments of programs can be seen
// by every user of a machine.
import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** A place for secrets that the system guards; it throws where it cannot be used. */
export interface Keyring {
  name: string
  read(account: string): Promise<string | undefined>
  write(account: string, secret: string): Promise<void>
  delete(account: string): Promise<void>
}

const SERVICE = 'guildhall'
/** Somebody may have to unlock it first. */
const PATIENCE_MILLISECONDS = 60_000
/** `security -i` reads no longer lines. */
const MAX_LINE = 4_000

interface Program {
  command: string
  args: readonly string[]
  input?: string
}

interface Ended {
  code: number | null
  output: string
}

/** Runs a program to its end; rejects if it is not there. */
function run({ command, args, input }: Program, environment: Environment): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: PATIENCE_MILLISECONDS,
      windowsHide: true,
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
    // One that ends early does not read what it is given.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })
}

/** The keyring of this system; undefined where there is none. */
export function keyringFor(platform: string, environment: Environment): Keyring | undefined {
  const runHere = (program: Program) => run(program, environment)
  if (platform === 'darwin') return security(runHere)
  if (platform === 'linux') return secretTool(runHere)
  return undefined
}

type Run = (program: Program) => Promise<Ended>

async function done(ended: Promise<Ended>, command: string): Promise<void> {
  const { code } = await ended
  if (code !== 0) throw new Error(`${command} ended with ${code ?? 'no code'}`)
}

/** GNOME Keyring, KWallet and others by the Secret Service API (libsecret's program). */
function secretTool(run: Run): Keyring {
  const command = 'secret-tool'
  const which = (account: string) => ['service', SERVICE, 'account', account]
  return {
    name: command,
    async read(account) {
      const { code, output } = await run({ command, args: ['lookup', ...which(account)] })
      return code === 0 && output !== '' ? output : undefined
    },
    write: (account, secret) =>
      done(
        run({ command, args: ['store', '--label', `Guildhall (${account})`, ...which(account)], input: secret }),
        command,
      ),
    delete: async (account) => void (await run({ command, args: ['clear', ...which(account)] })),
  }
}

/** The keychain of macOS. A command with a secret is read from the input, in base64, so nothing in it has to be quoted. */
function security(run: Run): Keyring {
  const command = 'security'
  const which = (account: string) => ['-s', SERVICE, '-a', account]
  return {
    name: command,
    async read(account) {
      const { code, output } = await run({ command, args: ['find-generic-password', ...which(account), '-w'] })
      return code === 0 ? Buffer.from(output.trim(), 'base64').toString('utf8') : undefined
    },
    async write(account, secret) {
      if (/["\\\n]/.test(account)) throw new Error('The path of the profile cannot be named in the keychain')
      const encoded = Buffer.from(secret).toString('base64')
      const line = `add-generic-password -U -s ${SERVICE} -a "${account}" -w "${encoded}"\n`
      if (line.length > MAX_LINE) throw new Error('The credentials are too long for the keychain')
      await done(run({ command, args: ['-i'], input: line }), command)
    },
    delete: async (account) => void (await run({ command, args: ['delete-generic-password', ...which(account)] })),
  }
}
