// Builds the package into dist/, or into the folder that is named (tests build side by side): the command line, the client library and
// the formats of the library, so that it needs no other. What starts a command is in one file; what only some commands need is in
// others, which they load. The formats are written for a newer Node and have dependencies.
import { chmodSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const DIST = resolve(process.argv[2] ?? join(FOLDER, 'dist'))
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
  codeSplitting: {
    groups: [
      { name: 'start', test: /cli\/src\/program\.ts$/, priority: 3 },
      // Of many small files each takes its time to load: what requests and installs need is in two.
      { name: 'client', test: /(?:client|packages\/verifiable)\/src\/(?!loopback|file-tokens)/, priority: 2 },
      { name: 'install', test: /cli\/src\/(install|fetch)\.ts$/, priority: 1 },
    ],
  },
  minify: { compress: true, mangle: false },
})
await bundle.close()
chmodSync(join(DIST, 'guildhall.js'), 0o755)
