// `npm run admin -- check`: whether everything that a server needs is there and set right. It changes nothing but what it says: an object
// in the store, which it removes again, and the test mail.
import type { Config } from '../config/config.ts'
import { reasonOf } from '../runtime/outage.ts'
import { checkBackup, checkClock, checkDatabase, checkDisk, checkFiles, checkKey, checkMail } from './checking.ts'
import { type CheckResult, checkProxy } from './checking-proxy.ts'
import type { Call, Command } from './command.ts'

export const check: Command = {
  usage: 'check [--mail <address>]',
  summary: `looks at the database, the store of files, the signing key, the clock, the disk, the
age of backups and,
through BASE_URL, at the proxy and the headers that it sends; --mail sends a test
mail. The exit code is 1 if something is wrong`,
  parameters: [0, 0],
  options: { mail: { type: 'string' } },
  run,
}

const checks = {
  database: checkDatabase,
  files: checkFiles,
  key: checkKey,
  clock: checkClock,
  disk: checkDisk,
  backup: checkBackup,
  proxy: checkProxy,
  mail: checkMail,
} satisfies Record<string, (config: Config, options: { mail?: string }) => Promise<CheckResult>>

async function run({ settings, options, output }: Call): Promise<number> {
  const config = settings()
  const { mail } = options
  const found: ({ name: string } & CheckResult)[] = []
  for (const [name, look] of Object.entries(checks)) {
    output.progress(`Looking at ${name}`)
    const result = await look(config, typeof mail === 'string' ? { mail } : {}).catch(
      (error: unknown): CheckResult => ({ state: 'error', detail: reasonOf(error) }),
    )
    found.push({ name, ...result })
  }
  const lines = found.map(({ name, state, detail }) => `${state.padEnd(8)} ${name.padEnd(9)} ${detail}`)
  const isWell = found.every(({ state }) => state !== 'error')
  output.result({ ok: isWell, checks: found }, lines.join('\n'))
  return isWell ? 0 : 1
}
