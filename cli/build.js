// Builds the package: dist/ with the command line and the client library, so that the package needs no other.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(FOLDER, '..')
const DIST = join(FOLDER, 'dist')

rmSync(DIST, { recursive: true, force: true })
const compiler = [join(ROOT, 'bin/node.js'), join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER]
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status || 1)
chmodSync(join(DIST, 'cli/src/main.js'), 0o755)
