// The operator's commands: `npm run admin -- grant <email> <role>`. Works while the server runs.
import { grantRole } from './accounts/accounts.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Role } from './contract/operation.ts'
import { openDatabase } from './database/open.ts'
import { newSigningKey } from './oauth/oauth.ts'

const USAGE = `Usage: npm run admin -- grant <email> <role>
       npm run admin -- new-key

  grant     gives an account a role: member, moderator or admin
  new-key   prints a new signing key, for SIGNING_KEY`

const roles: readonly string[] = ['member', 'moderator', 'admin'] satisfies Role[]

async function run([command, email, role, ...rest]: string[]): Promise<number> {
  if (command === 'new-key' && email === undefined) {
    console.log(JSON.stringify(newSigningKey()))
    return 0
  }
  if (command !== 'grant' || !email || !role || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  if (!roles.includes(role)) {
    console.error(`There is no role ${role}; take one of ${roles.join(', ')}.`)
    return 2
  }
  const { db } = await openDatabase(readConfig(process.env).databaseUrl)
  try {
    const user = await grantRole(db, email, role as Role, new Date().toISOString())
    console.log(user ? `${user.email} is ${role} now.` : `No account has the address ${email}; sign up with it first.`)
    return user ? 0 : 1
  } finally {
    await db.destroy()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `It failed: ${(error as Error).message}`)
  process.exitCode = 1
}
