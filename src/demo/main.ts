// Fills a new instance with content to look around in: `npm run demo`. It works while the server runs.
import { randomBytes } from 'node:crypto'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { asInstalled } from '../runtime/installation.ts'
import { whyItFailed } from '../runtime/outage.ts'
import { openDependencies } from '../start/open-dependencies.ts'
import { type DemoSummary, fill, hasAccounts } from './demo.ts'

async function run(config: Config): Promise<number> {
  if (config.publicOrigin) {
    console.error(
      `The demo creates fictional accounts, and others can reach ${config.baseUrl}. Use it with a BASE_URL on localhost.`,
    )
    return 1
  }
  const dependencies = await openDependencies(config)
  try {
    if (await hasAccounts(dependencies.db)) {
      console.error(
        'This instance already has accounts, so the demo changes nothing. Use a new DATA_DIR or DATABASE_URL for it.',
      )
      return 1
    }
    const password = randomBytes(12).toString('base64url')
    report(config, await fill(dependencies, { now: dependencies.clock.now(), password }), password)
    return 0
  } finally {
    await dependencies.close()
  }
}

function report({ baseUrl }: Config, { counts, addresses }: DemoSummary, password: string): void {
  const made = Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(4)} ${name}`)
  const ways = Object.entries(addresses).map(([role, email]) => `  ${role.padEnd(10)} ${email}`)
  console.log(
    asInstalled(`The demo is in place:

${made.join('\n')}

Sign in at ${baseUrl} (\`npm start\` runs the server); the password of everybody is ${password}
It is shown only now.

${ways.join('\n')}`),
  )
}

try {
  process.exitCode = await run(readConfig(process.env))
} catch (error) {
  console.error(asInstalled(error instanceof ConfigError ? error.message : `It failed: ${whyItFailed(error)}`))
  process.exitCode = 1
}
