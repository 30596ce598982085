// Every figure the project claims, one script after another: `npm run bench`, or `npm run bench -- feed` for one of them.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/** Parts that the scripts are made of. */
const parts = new Set([
  'main',
  'bare',
  'bare-uploads',
  'community-fill',
  'figures',
  'fill',
  'fill-library',
  'fill-orgs',
  'load',
  'mcp-bare',
])
const scripts = readdirSync(import.meta.dirname)
  .filter((file) => /^[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !parts.has(name))

const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : scripts) {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
