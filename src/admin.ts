// The operator's commands: `npm run admin -- <command>`. They work while the server runs.
import { type Config, ConfigError, readConfig } from './config.ts'

const USAGE = `Usage: npm run admin -- <command>

  grant <email> <role>   gives an account a role: member, moderator or admin
  verify                 reads every stored file again, and reports what is damaged or missing`

interface Command {
  parameters: number
  run(config: Config, ...given: string[]): Promise<number>
}

const commands: Record<string, Command> = {
  grant: {
    parameters: 2,
    run: async (config, email, role) => (await import('./admin/grant.ts')).grant(config, email!, role!),
  },
  verify: { parameters: 0, run: async (config) => (await import('./admin/verify.ts')).verify(config) },
}

async function run([name = '', ...given]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || given.length !== command.parameters || given.includes('')) {
    console.error(USAGE)
    return 2
  }
  return command.run(readConfig(process.env), ...given)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `It failed: ${(error as Error).message}`)
  process.exitCode = 1
}
