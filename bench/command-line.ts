// How soon `guildhall` starts, as it is published: as a multiple of a Node that does nothing, in turns with it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { figure } from './parts/figures.ts'
import { median } from './parts/median.ts'

const FOLDER = resolve(import.meta.dirname, '../cli')
const ROUNDS = 40

/** How long a process runs, in ms. */
function runFor(home: string, words: readonly string[]): number {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, words, { env: { PATH: process.env['PATH'], HOME: home } })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`)
  return performance.now() - startedAt
}

execFileSync(process.execPath, [join(FOLDER, 'build.js')], { stdio: 'inherit' })
const home = mkdtempSync(join(tmpdir(), 'guildhall-bench-'))
const program = join(FOLDER, 'dist/guildhall.js')
const bare: number[] = []
const times: Record<string, number[]> = { '--version': [], help: [], list: [] }
for (let round = 0; round < ROUNDS; round++) {
  bare.push(runFor(home, ['-e', '0']))
  for (const [command, all] of Object.entries(times)) all.push(runFor(home, [program, command]))
}
figure('node -e 0', median(bare), 'ms')
for (const [command, all] of Object.entries(times)) {
  figure(`guildhall ${command}, by node -e 0`, median(all) / median(bare), 'times', { atMost: 3 })
  figure('  the fastest', Math.min(...all), 'ms', { atMost: 150 })
}
rmSync(home, { recursive: true })
