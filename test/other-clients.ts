// Clients that others wrote, as they come from the registry of packages: installed into a temporary folder where a test asks for them.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export interface Ran {
  code: number | null
  /** What it printed, without colours. */
  output: string
}

export interface Installed {
  folder: string
  /** Runs a program of a package by Node, or a file by itself; `home` is its home and its working folder. */
  run(
    path: string,
    args: readonly string[],
    how: { home: string; env?: Record<string, string>; plain?: true },
  ): Promise<Ran>
  remove(): Promise<void>
}

const MAX_MILLISECONDS = 120_000
const INSTALL_MILLISECONDS = 900_000

function run(command: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  const timeout = command === 'npm' ? INSTALL_MILLISECONDS : MAX_MILLISECONDS
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((done) => {
    child.once('error', (error) => done({ code: null, output: String(error) }))
    child.once('close', (code) => done({ code, output: stripVTControlCharacters(output) }))
  })
}

/** Installs packages with exact versions, without their scripts. */
export async function installClients(packages: readonly string[]): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-clients-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run(
    'npm',
    ['install', ...flags, ...packages],
    folder,
    process.env as Record<string, string>,
  )
  if (code !== 0) {
    await remove()
    throw new Error(`npm could not install them: ${output}`)
  }
  return {
    folder,
    remove,
    run(path, args, { home, env = {}, plain }) {
      const own = { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1', DO_NOT_TRACK: '1', CI: '1', ...env }
      const program = join(folder, 'node_modules', path)
      return plain ? run(program, args, home, own) : run(process.execPath, [program, ...args], home, own)
    },
  }
}
