// Builds the package: dist/ with the command line, the client library and the formats of the library, so that it needs no other. What
// starts a command is in one file; what only some commands need is in others, which they load. The formats are written for a newer
// Node and have dependencies.
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const DIST = join(FOLDER, 'dist')
const ZLIB = join(FOLDER, 'validators/zlib.ts')

rmSync(DIST, { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    guildhall: join(FOLDER, 'src/main.ts'),
    validators: join(FOLDER, 'validators/main.ts'),
    files: join(FOLDER, 'validators/files.ts'),
  },
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
  dir: DIST,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // What every command needs is one file, also where others need it too.
  codeSplitting: { groups: [{ name: 'start', test: /cli\/src\/program\.ts$/ }] },
  minify: { compress: true, mangle: false },
})
await bundle.close()
chmodSync(join(DIST, 'guildhall.js'), 0o755)
