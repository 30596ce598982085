// `npm run admin -- grant`.
import { RoleName } from '../contract/fields.ts'
import type { Role } from '../contract/operation.ts'
import { grantRole } from '../identity/roles.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

const roles: readonly Role[] = RoleName.options
const isRole = (name: string): name is Role => roles.some((role) => role === name)

export const grant: Command = {
  usage: 'grant <email> <role>',
  summary: 'gives an account a role: member, moderator or admin',
  parameters: [2, 2],
  run,
}

async function run({ settings, parameters, output }: Call): Promise<number> {
  const [email, role] = [required(parameters[0]), required(parameters[1])]
  if (!isRole(role)) {
    output.complain(`There is no role ${role}; use one of ${roles.join(', ')}.`)
    return 2
  }
  return withAccounts(settings(), async (dependencies) => {
    const user = await grantRole(dependencies, email, { role, now: timestamp(systemClock.now()) })
    if (!user) {
      output.complain(`No account has the address ${email}; sign up with it first.`)
      return 1
    }
    output.result({ email: user.email, role }, `${user.email} is ${role} now.`)
    return 0
  })
}
