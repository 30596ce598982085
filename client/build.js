// Builds the package: src/ into dist/, or into the folder that is named (tests build side by side). What it uses of packages/verifiable is
// compiled into dist/verifiable, so that it needs no other package. TypeScript leaves `.ts` in the imports of declarations, which other tools
// do not follow.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(FOLDER, '..')
const DIST = resolve(process.argv[2] ?? join(FOLDER, 'dist'))

function compile(project, folder) {
  const compiler = [join(ROOT, 'bin/node.js'), join(ROOT, 'node_modules/typescript/bin/tsc')]
  const options = ['-p', join(FOLDER, project), '--outDir', join(DIST, folder)]
  const { status } = spawnSync(process.execPath, [...compiler, ...options], { stdio: 'inherit' })
  if (status !== 0) process.exit(status || 1)
}

rmSync(DIST, { recursive: true, force: true })
compile('tsconfig.json', '')
compile('tsconfig-verifiable.json', 'verifiable')

for (const folder of ['', 'derived', 'verifiable']) {
  for (const name of readdirSync(join(DIST, folder)).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
    const path = join(DIST, folder, name)
    const text = readFileSync(path, 'utf8').replaceAll("'@guildhall/verifiable'", "'./verifiable/main.js'")
    writeFileSync(path, name.endsWith('.d.ts') ? text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'") : text)
  }
}
