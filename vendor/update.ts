// Takes the page of the API reference out of its package: `node bin/node.js vendor/update.ts 1.72.1`. One file of it is served, and
// the rest, a framework with what it needs, is not installed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'

const PACKAGE = '@scalar/api-reference'
const FILE = 'dist/browser/standalone.js'
const HERE = join(import.meta.dirname, 'api-reference')

const [version] = process.argv.slice(2)
if (!version || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: node bin/node.js vendor/update.ts <version>')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'guildhall-vendor-'))
try {
  // npm checks what it fetches against the registry's own hash.
  const packed = execFileSync('npm', ['pack', '--json', `${PACKAGE}@${version}`], { cwd: folder, encoding: 'utf8' })
  const [{ filename, integrity }] = JSON.parse(packed) as [{ filename: string; integrity: string }]
  execFileSync('tar', ['-xzf', filename], { cwd: folder })
  const bundle = readFileSync(join(folder, 'package', FILE))
  writeFileSync(join(HERE, 'standalone.js.gz'), gzipSync(bundle, { level: constants.Z_BEST_COMPRESSION }))
  const source = { package: PACKAGE, version, integrity, file: FILE }
  writeFileSync(join(HERE, 'source.json'), `${JSON.stringify(source, null, 2)}\n`)
  console.log(`${PACKAGE} ${version}: ${bundle.length} bytes.`)
} finally {
  rmSync(folder, { recursive: true })
}
