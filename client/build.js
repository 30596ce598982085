// Builds the package: src/ into dist/, or into the folder that is named (tests build side by side). TypeScript leaves `.ts` in the
// imports of declarations, which other tools do not follow.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(FOLDER, '..')
const DIST = resolve(process.argv[2] ?? join(FOLDER, 'dist'))

rmSync(DIST, { recursive: true, force: true })
const compiler = [
  join(ROOT, 'bin/node.js'),
  join(ROOT, 'node_modules/typescript/bin/tsc'),
  '-p',
  FOLDER,
  '--outDir',
  DIST,
]
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status || 1)

for (const folder of [DIST, join(DIST, 'derived')]) {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}
