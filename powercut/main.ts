// `npm run powercut`: records what the server writes, rebuilds the disk after a power cut at many points of the recording, under each
// rule of disk.ts, and checks it. Prints a table, and exits with 1 if anything that was acknowledged is lost or damaged.
//   --cuts <n>    at how many points (300)
//   --rounds <n>  how much is done before (3)
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { powercut } from './powercut.ts'
import { whyNot } from './record.ts'

const MAX_SHOWN = 10

const { values } = parseArgs({
  options: { cuts: { type: 'string', default: '300' }, rounds: { type: 'string', default: '3' } },
})
const reason = whyNot()
if (reason) {
  console.error(`npm run powercut cannot run here: ${reason}.`)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), 'guildhall-powercut-'))
try {
  const { calls, acknowledged, results } = await powercut(folder, {
    cuts: Number(values.cuts),
    rounds: Number(values.rounds),
  })
  console.log(`${calls} calls were recorded, ${acknowledged} writes were acknowledged.\n`)
  console.log(`| ${'what the disk kept'.padEnd(52)} | disks | with a finding |\n| --- | --- | --- |`)
  for (const { rule, disks, findings } of results) {
    console.log(`| ${rule.padEnd(52)} | ${String(disks).padStart(5)} | ${String(findings.length).padStart(14)} |`)
  }
  for (const { rule, findings } of results) {
    for (const { cut, sentences } of findings.slice(0, 3)) {
      console.error(`\n${rule}, cut after call ${cut}:\n  ${sentences.slice(0, MAX_SHOWN).join('\n  ')}`)
    }
  }
  process.exitCode = results.some(({ findings }) => findings.length > 0) ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
