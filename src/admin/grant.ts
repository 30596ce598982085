// `npm run admin -- grant <email> <role>`: gives an account a role.
import { grantRole } from '../accounts/accounts.ts'
import type { Config } from '../config.ts'
import type { Role } from '../contract/operation.ts'
import { openDatabase } from '../database/open.ts'

const roles: readonly string[] = ['member', 'moderator', 'admin'] satisfies Role[]

/** Says what happened and gives the exit code. */
export async function grant({ databaseUrl }: Config, email: string, role: string): Promise<number> {
  if (!roles.includes(role)) {
    console.error(`There is no role ${role}; take one of ${roles.join(', ')}.`)
    return 2
  }
  const { db } = await openDatabase(databaseUrl)
  try {
    const user = await grantRole(db, email, role as Role, new Date().toISOString())
    console.log(user ? `${user.email} is ${role} now.` : `No account has the address ${email}; sign up with it first.`)
    return user ? 0 : 1
  } finally {
    await db.destroy()
  }
}
