// Every figure the project claims, one script after another: `npm run bench`, or `npm run bench -- feed` for one of them;
// `--engine postgres` on PostgreSQL (TEST_POSTGRES_URL), `--rows 10000000` with so many things in the database.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { options, words } from './parts/options.ts'

/** Every file beside this one is a script; what they are made of is in `parts`. */
const scripts = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'main.ts')
  .map(({ name }) => name.slice(0, -'.ts'.length))
  .sort()

for (const name of words.length > 0 ? words : scripts) {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`, ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
