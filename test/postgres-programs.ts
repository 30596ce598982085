// The programs of PostgreSQL as its package installs them, and clusters that tests make with them. PostgreSQL refuses to run as root: then
// its programs run as its own user.
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { required } from '../src/runtime/untyped.ts'

const PACKAGES = '/usr/lib/postgresql'
/** The oldest version that Guildhall runs on. */
const OLDEST = 15
/** Their tools read them (libpq): nothing here goes to another server. */
const OTHERS = /^PG[A-Z]+$/

const newestFirst = (one: string, other: string) => Number(other) - Number(one)

/** The folders in which the programs of a server may be: those of PATH come first, as a person's choice. */
function* folders(): Generator<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const program = join(folder, 'initdb')
    if (existsSync(program)) yield dirname(realpathSync(program))
  }
  if (!existsSync(PACKAGES)) return
  for (const version of readdirSync(PACKAGES).sort(newestFirst)) yield join(PACKAGES, version, 'bin')
}

function isServer(folder: string): boolean {
  if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) return false
  const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(said)?.[1]) >= OLDEST
}

/** The folder of the server's programs; undefined where they are not installed, or too old. */
export const programs: string | undefined = process.platform === 'win32' ? undefined : [...folders()].find(isServer)

interface Runner {
  uid?: number
  gid?: number
}

/** Who runs the programs: this user, or `postgres` or `nobody` instead of root. */
function runner(): Runner {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u', 'postgres'), gid: id('-g', 'postgres') }
  } catch {
    return { uid: id('-u', 'nobody'), gid: id('-g', 'nobody') }
  }
}

/** How programs of a cluster in `folder` are started. The folder belongs to their user from here on. */
export function startingIn(folder: string): Runner & { cwd: string; env: NodeJS.ProcessEnv } {
  const who = runner()
  if (who.uid !== undefined) chownSync(folder, who.uid, required(who.gid))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OTHERS.test(name)))
  return { ...who, cwd: folder, env }
}

export const program = (name: string) => join(required(programs), name)

/** Makes a cluster whose superuser is `postgres`; with a password, connections need it. */
export async function initialize(path: string, folder: string, password?: string): Promise<void> {
  const starting = startingIn(folder)
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const args = ['-D', path, '-U', 'postgres', '-N', '-E', 'UTF8', `--locale=${locale}`]
  if (password === undefined) args.push('-A', 'trust')
  else {
    const file = join(folder, 'password')
    writeFileSync(file, password, { mode: 0o600 })
    if (starting.uid !== undefined) chownSync(file, starting.uid, required(starting.gid))
    args.push('-A', 'scram-sha-256', '--pwfile', file)
  }
  await promisify(execFile)(program('initdb'), args, starting)
}
