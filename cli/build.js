// Builds the package: dist/ with the command line, the client library and the validators of the formats, so that it needs no other.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(FOLDER, '..')
const DIST = join(FOLDER, 'dist')

rmSync(DIST, { recursive: true, force: true })
const compiler = [join(ROOT, 'bin/node.js'), join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER]
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status || 1)
chmodSync(join(DIST, 'cli/src/main.js'), 0o755)

// The validators have dependencies and are written for a newer Node: one file with all of it, loaded by the commands that need it.
const ZLIB = join(FOLDER, 'validators/zlib.ts')
const bundle = await rolldown({
  input: join(FOLDER, 'validators/main.ts'),
  platform: 'node',
  transform: { target: 'node18' },
  plugins: [
    {
      name: 'older-zlib',
      resolveId: (id, importer) => (id === 'node:zlib' && importer !== ZLIB ? ZLIB : undefined),
    },
  ],
})
await bundle.write({
  file: join(DIST, 'cli/src/validators.js'),
  format: 'esm',
  minify: { compress: true, mangle: false },
})
await bundle.close()
